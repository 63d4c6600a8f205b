//! What was looked up about keys and users.
//!
//! All of it belongs to one edition of tenancy, whose number every request asks for. A change anywhere, also on another
//! server, makes another edition, and with it everything here is forgotten.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::caller::Holder;
use super::permission::Permissions;

const ENTRIES_MAX: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    edition: u64,
    holders: HashMap<[u8; 32], Arc<Holder>>,
    grants: HashMap<(Arc<str>, Box<str>), Permissions>,
}

impl Cache {
    pub(super) fn holder(&self, edition: u64, hash: &[u8; 32]) -> Option<Arc<Holder>> {
        self.known(edition).holders.get(hash).cloned()
    }

    /// `edition` is the one that was read before the holder was looked up.
    pub(super) fn keep_holder(&self, edition: u64, hash: [u8; 32], holder: &Arc<Holder>) {
        keep(&mut self.known(edition).holders, hash, Arc::clone(holder));
    }

    pub(super) fn grants(&self, edition: u64, user: &Arc<str>, namespace: &str) -> Option<Permissions> {
        self.known(edition).grants.get(&(Arc::clone(user), Box::from(namespace))).copied()
    }

    /// `edition` is the one that was read before the grants were looked up.
    pub(super) fn keep_grants(&self, edition: u64, user: &Arc<str>, namespace: &str, grants: Permissions) {
        keep(&mut self.known(edition).grants, (Arc::clone(user), Box::from(namespace)), grants);
    }

    /// What is known of an edition. A request that was held up may ask for an older one: what it then keeps here is
    /// newer than what it asked for, and nobody else sees it.
    fn known(&self, edition: u64) -> MutexGuard<'_, Known> {
        // Forgetting is all that is ever done in two steps.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.edition != edition {
            *known = Known { edition, ..Known::default() };
        }
        known
    }
}

fn keep<K: std::hash::Hash + Eq, V>(map: &mut HashMap<K, V>, key: K, value: V) {
    if map.len() >= ENTRIES_MAX {
        map.clear();
    }
    map.insert(key, value);
}
