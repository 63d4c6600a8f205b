//! The chain of audit records that a server writes.

use bytes::Bytes;
use redrive_core::{Ksuid, Time};
use redrive_model::{KeyCondition, KeyWrite, Rejection, ScanKeys};
use redrive_store::{Reply, Request, Store, StoreError};

use super::pages::AuditPages;
use super::record_key::{chain_prefix, prefix, record_key};
use super::rejection_limiter::RejectionLimiter;
use super::{AuditActor, AuditHash, AuditRecord, AuditTarget, Change};
use crate::records::{delete, value};

/// Maximum attempts of a change that conflicts with changes of other servers.
pub(crate) const ATTEMPTS_MAX: usize = 16;
/// Maximum number of old records that are deleted with one new record, so that a lowered limit does not slow down a
/// single act.
const TRIMMED_MAX: usize = 16;
/// All records are counted again after this many of this server's own, since other servers write records, too.
const COUNTED_EVERY: u64 = 1_000;
const PAGE: usize = 1_000;
/// Maximum number of targets that the log shows of a record.
const LOGGED_TARGETS_MAX: usize = 10;

/// The end of this server's chain, as cached. The cache may be behind: an act whose caller disconnected may have been
/// committed. The store then rejects a second record with the same number, and the end of the chain is read again.
#[derive(Debug)]
pub(crate) struct Chain {
    incarnation: String,
    next: u64,
    previous: AuditHash,
    records_max: usize,
    /// When the server started; `None` once that is recorded.
    started: Option<Time>,
    /// The number of records of all chains; `None` until they are counted.
    kept: Option<usize>,
    pub(super) rejections: RejectionLimiter,
}

impl Chain {
    pub(crate) fn new(incarnation: Ksuid, records_max: usize) -> Self {
        let incarnation = incarnation.to_string();
        let previous = AuditHash::none();
        let rejections = RejectionLimiter::default();
        Self { incarnation, next: 0, previous, records_max, started: None, kept: None, rejections }
    }

    /// Begins the chain. On a full disk its first record is written later, before the next one: the server must start,
    /// since completing items is what frees disk space.
    pub(crate) async fn begin(&mut self, store: &dyn Store, now: Time) -> Result<(), StoreError> {
        self.started = Some(now);
        self.record_start(store).await
    }

    async fn record_start(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        let Some(started) = self.started else { return Ok(()) };
        let record = AuditRecord::of_server("server.start", started);
        match self.write(store, record, Change::of_keys(Vec::new()).erased()).await {
            // Only this server writes to its chain, so there is no conflict.
            Ok(_) => self.started = None,
            Err(StoreError::Full) => tracing::warn!("disk full; the audit record of the server start is deferred"),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Commits a change together with its audit record, which gets its place in the chain. `None`: the data that it is based on has changed meanwhile, and
    /// nothing was written.
    pub(crate) async fn append(
        &mut self,
        store: &dyn Store,
        record: AuditRecord,
        change: Change<Request>,
    ) -> Result<Option<Reply>, StoreError> {
        self.record_start(store).await?;
        self.write(store, record, change).await
    }

    async fn write(
        &mut self,
        store: &dyn Store,
        record: AuditRecord,
        mut change: Change<Request>,
    ) -> Result<Option<Reply>, StoreError> {
        let trimmed = self.trimmed(store).await?;
        let trimmed_count = trimmed.len();
        let targets = change.all_targets(record.targets);
        let Change { op, mut writes, before, after, plan, .. } = change;
        let record = AuditRecord {
            incarnation: self.incarnation.clone(),
            sequence: self.next,
            targets,
            before: before.map(AuditHash::into_text),
            after: after.map(AuditHash::into_text),
            plan: plan.map(AuditHash::into_text),
            unrecorded: if record.result.code == 200 { 0 } else { self.rejections.unrecorded },
            previous: self.previous.clone().into_text(),
            ..record
        };
        let bytes = value(&record);
        let hash = AuditHash::of(&bytes);
        let key = record_key(&self.incarnation, self.next);
        writes.push(KeyWrite { key: key.clone(), value: Some(bytes), condition: KeyCondition::Absent });
        writes.extend(trimmed.into_iter().map(delete));
        match store.submit(op, writes).await {
            Ok(reply) => {
                log(&record, &hash);
                self.next += 1;
                self.previous = hash;
                self.kept = self.kept.map(|kept| (kept + 1).saturating_sub(trimmed_count));
                if record.result.code != 200 {
                    self.rejections.unrecorded = 0;
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

    /// Reads the end of the chain from the store.
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

    /// The keys of the oldest records beyond the limit: those of the oldest chain first, from its beginning.
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

/// Writes a committed record to the log of the server. A copy of that log shows whether the end of a chain was cut off.
fn log(record: &AuditRecord, hash: &AuditHash) {
    let AuditActor { user, name, key, .. } = &record.actor;
    tracing::info!(
        action = record.action,
        actor = name.as_ref().unwrap_or(user),
        user,
        key,
        namespace = record.namespace,
        targets = shown_targets(&record.targets),
        reason = record.reason,
        code = record.result.code,
        chain = record.incarnation,
        sequence = record.sequence,
        hash = hash.as_str(),
        "audit"
    );
}

/// The targets as one text, as in `queue=orders letter=2Pq…`.
fn shown_targets(targets: &[AuditTarget]) -> String {
    let mut shown: Vec<String> = targets.iter().take(LOGGED_TARGETS_MAX).map(ToString::to_string).collect();
    if let more @ 1.. = targets.len().saturating_sub(LOGGED_TARGETS_MAX) {
        shown.push(format!("and {more} more"));
    }
    shown.join(" ")
}

async fn count(store: &dyn Store) -> Result<usize, StoreError> {
    let mut count = 0;
    let mut pages = AuditPages::oldest_first(None);
    while let Some(entries) = pages.next(store).await? {
        count += entries.len();
    }
    Ok(count)
}
