//! A cache of API keys and permissions.
//!
//! All entries belong to one edition of the tenancy data, whose number every request reads from the store. A change,
//! also one by another server, makes a new edition, which empties the cache.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::caller::KeyIdentity;
use super::permission::Permissions;

const ENTRIES_MAX: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<CacheEntries>);

#[derive(Debug, Default)]
struct CacheEntries {
    edition: u64,
    identities: HashMap<[u8; 32], Arc<KeyIdentity>>,
    grants: HashMap<(Arc<str>, Box<str>), Permissions>,
}

impl Cache {
    pub(super) fn identity(&self, edition: u64, hash: &[u8; 32]) -> Option<Arc<KeyIdentity>> {
        self.entries(edition).identities.get(hash).cloned()
    }

    /// `edition` must have been read before the identity was looked up.
    pub(super) fn insert_identity(&self, edition: u64, hash: [u8; 32], identity: &Arc<KeyIdentity>) {
        insert(&mut self.entries(edition).identities, hash, Arc::clone(identity));
    }

    pub(super) fn grants(&self, edition: u64, user: &Arc<str>, namespace: &str) -> Option<Permissions> {
        self.entries(edition).grants.get(&(Arc::clone(user), Box::from(namespace))).copied()
    }

    /// `edition` must have been read before the grants were looked up.
    pub(super) fn insert_grants(&self, edition: u64, user: &Arc<str>, namespace: &str, grants: Permissions) {
        insert(&mut self.entries(edition).grants, (Arc::clone(user), Box::from(namespace)), grants);
    }

    /// The entries of an edition. A delayed request may use an older edition than the current one: what it then inserts
    /// is at least as new as that edition, and no request of another edition sees it.
    fn entries(&self, edition: u64) -> MutexGuard<'_, CacheEntries> {
        // A panic cannot leave the entries half-changed, so poisoning is ignored.
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.edition != edition {
            *entries = CacheEntries { edition, ..CacheEntries::default() };
        }
        entries
    }
}

fn insert<K: std::hash::Hash + Eq, V>(map: &mut HashMap<K, V>, key: K, value: V) {
    if map.len() >= ENTRIES_MAX {
        map.clear();
    }
    map.insert(key, value);
}
