//! The chain that a server writes.

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::{KeyCondition, KeyWrite, Rejection, ScanKeys};
use redrive_store::{Store, StoreError, Transactional};

use super::record::{chain_prefix, prefix, record_key};
use super::refusals::Refusals;
use super::{AuditActor, AuditHash, AuditOrigin, AuditRecord, AuditResult, AuditTarget, Change};
use crate::records::{delete, value};

/// So often a change is decided anew when somebody else was faster: only other servers can be.
pub(crate) const ATTEMPTS_MAX: usize = 16;
/// So many records go at most when one comes, so that a lower limit costs no single act much.
const TRIMMED_MAX: usize = 16;
/// Other servers write records, too: after so many of our own all are counted again.
const COUNTED_EVERY: u64 = 1_000;
const PAGE: usize = 1_000;

/// What is said about an act besides what it changes.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) now: Time,
    pub(crate) actor: AuditActor,
    pub(crate) origin: AuditOrigin,
    pub(crate) action: String,
    pub(crate) targets: Vec<AuditTarget>,
    pub(crate) reason: Option<String>,
    pub(crate) result: AuditResult,
}

impl Entry {
    /// Something that the server does by itself.
    pub(crate) fn of_server(action: &str, now: Time) -> Self {
        Self {
            now,
            actor: AuditActor { user: "_server".to_owned(), key: None },
            origin: AuditOrigin::default(),
            action: action.to_owned(),
            targets: Vec::new(),
            reason: None,
            result: AuditResult { code: 200, message: String::new() },
        }
    }
}

/// Where the chain stands, as far as this server knows. What it knows may be behind: an act whose caller went away may
/// have been done. The store refuses a second record of one number, and then the end of the chain is looked up.
#[derive(Debug)]
pub(crate) struct Chain {
    incarnation: String,
    next: u64,
    previous: AuditHash,
    records_max: usize,
    /// When the server started, until that is recorded.
    started: Option<Time>,
    /// How many records there are, of all chains; `None` until they were counted.
    kept: Option<usize>,
    pub(super) refusals: Refusals,
}

impl Chain {
    pub(super) fn new(incarnation: String, records_max: usize) -> Self {
        let previous = AuditHash::none();
        Self { incarnation, next: 0, previous, records_max, started: None, kept: None, refusals: Refusals::default() }
    }

    pub(super) async fn begin(&mut self, store: &dyn Store, now: Time) -> Result<(), StoreError> {
        self.started = Some(now);
        self.record_start(store).await
    }

    async fn record_start(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        let Some(started) = self.started else { return Ok(()) };
        let entry = Entry::of_server("server.start", started);
        match self.write(store, entry, Change::of_keys(Vec::new())).await {
            // The chain is this server's own: nobody else writes to it.
            Ok(_) => self.started = None,
            Err(StoreError::Full) => tracing::warn!("the disk is full: the start of the server is recorded later"),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Makes a change together with its record. `None`: what it was decided on has changed meanwhile, nothing was done.
    pub(crate) async fn append<O: Transactional>(
        &mut self,
        store: &dyn Store,
        entry: Entry,
        change: Change<O>,
    ) -> Result<Option<O::Reply>, StoreError> {
        self.record_start(store).await?;
        self.write(store, entry, change).await
    }

    async fn write<O: Transactional>(
        &mut self,
        store: &dyn Store,
        entry: Entry,
        mut change: Change<O>,
    ) -> Result<Option<O::Reply>, StoreError> {
        let gone = self.trimmed(store).await?;
        let went = gone.len();
        let targets = change.all_targets(entry.targets);
        let Change { op, mut along, before, after, plan, .. } = change;
        let action = entry.action.clone();
        let record = AuditRecord {
            incarnation: self.incarnation.clone(),
            sequence: self.next,
            time: entry.now.into(),
            actor: entry.actor,
            origin: entry.origin,
            action: entry.action,
            targets,
            reason: entry.reason,
            before: before.map(AuditHash::into_text),
            after: after.map(AuditHash::into_text),
            plan: plan.map(AuditHash::into_text),
            unrecorded: if entry.result.code == 200 { 0 } else { self.refusals.unrecorded },
            result: entry.result,
            previous: self.previous.clone().into_text(),
        };
        let bytes = value(&record);
        let hash = AuditHash::of(&bytes);
        let key = record_key(&self.incarnation, self.next);
        along.push(KeyWrite { key: key.clone(), value: Some(bytes), condition: KeyCondition::Absent });
        along.extend(gone.into_iter().map(delete));
        match store.with_keys(op, along).await {
            Ok(reply) => {
                // Whoever keeps the log elsewhere can tell whether the end of a chain was cut off.
                tracing::info!(action, sequence = self.next, hash = hash.clone().into_text(), "audit");
                self.next += 1;
                self.previous = hash;
                self.kept = self.kept.map(|kept| (kept + 1).saturating_sub(went));
                if record.result.code != 200 {
                    self.refusals.unrecorded = 0;
                }
                Ok(Some(reply))
            }
            Err(StoreError::Rejected(Rejection::KeyChanged { key: changed })) => {
                if changed == key {
                    self.catch_up(store).await?;
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Goes to the end of the chain.
    async fn catch_up(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        loop {
            let from = record_key(&self.incarnation, self.next);
            let scan = ScanKeys { prefix: chain_prefix(&self.incarnation), from, limit: PAGE };
            let entries = store.keys(scan).await?;
            let Some(last) = entries.last() else { return Ok(()) };
            self.previous = AuditHash::of(&last.value);
            self.next += entries.len() as u64;
        }
    }

    /// The oldest records, where there are too many: those of the oldest chain first, from its beginning.
    async fn trimmed(&mut self, store: &dyn Store) -> Result<Vec<Bytes>, StoreError> {
        let kept = match self.kept {
            Some(kept) if !self.next.is_multiple_of(COUNTED_EVERY) => kept,
            _ => count(store).await?,
        };
        self.kept = Some(kept);
        let limit = (kept + 1).saturating_sub(self.records_max).min(TRIMMED_MAX);
        if limit == 0 {
            return Ok(Vec::new());
        }
        let entries = store.keys(ScanKeys { prefix: prefix(), from: prefix(), limit }).await?;
        Ok(entries.into_iter().map(|entry| entry.key).collect())
    }
}

async fn count(store: &dyn Store) -> Result<usize, StoreError> {
    let mut count = 0;
    let mut from = prefix();
    loop {
        let entries = store.keys(ScanKeys { prefix: prefix(), from, limit: PAGE }).await?;
        count += entries.len();
        match entries.last() {
            // The first key that can follow.
            Some(last) if entries.len() == PAGE => from = [&last.key[..], &[0]].concat().into(),
            _ => return Ok(count),
        }
    }
}
