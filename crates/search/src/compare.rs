//! Compares an index with the store while both change.
//!
//! Two sorted lists are merged. If a letter differs, it may have changed between the two reads, so it is read again: in
//! the store, then in the index after it has caught up, then in the store again. An index that has caught up is not
//! older than the first read, and never newer than the last.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use redrive_core::{LetterId, QueueName};
use redrive_store::{Store, StoreError};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::SearchError;
use crate::catch_up::catch_up;
use crate::client::{Client, SearchTrouble};
use crate::projection::{Core, Target};
use crate::scan::Scan;
use crate::stored::{next_queue, page_of, stored_revision};

/// Letters per page.
const PAGE: usize = 500;

/// The letters on which store and index agree.
#[derive(Debug)]
pub(crate) struct Agreement {
    pub(crate) letters: u64,
    pub(crate) digest: String,
}

#[derive(Debug, Default)]
struct Findings {
    agreed: u64,
    digest: Sha256,
    differing: Vec<(QueueName, LetterId)>,
}

pub(crate) async fn compare(core: &Core, target: &Target) -> Result<Agreement, SearchError> {
    core.client.refresh(&target.name).await?;
    let mut queues = queues_in_index(&core.client, &target.name).await?;
    let mut after = None;
    while let Some(queue) = next_queue(&*core.store, after.as_ref()).await? {
        queues.insert(queue.clone());
        after = Some(queue);
    }
    let mut findings = Findings::default();
    for queue in &queues {
        compare_queue(core, target, queue, &mut findings).await?;
    }
    let differing = std::mem::take(&mut findings.differing);
    let mut wrong = 0;
    for letters in differing.chunks(PAGE) {
        wrong += recheck(core, target, letters, &mut findings).await?;
    }
    if wrong > 0 {
        return Err(SearchError::Differs { store: findings.agreed + wrong, index: findings.agreed });
    }
    let digest = findings.digest.finalize().iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    Ok(Agreement { letters: findings.agreed, digest })
}

/// Compares the letters of one queue.
async fn compare_queue(
    core: &Core,
    target: &Target,
    queue: &QueueName,
    findings: &mut Findings,
) -> Result<(), SearchError> {
    let mut after = None;
    loop {
        let stored = page_of(&*core.store, queue, after, PAGE).await?;
        let scan = Scan { index: &target.name, queue, after, limit: PAGE };
        let indexed = scan.read(&core.client).await?;
        // Only letters up to the end of both pages have been read on both sides.
        let ends = [&stored, &indexed].into_iter().filter(|page| page.len() == PAGE);
        let end = ends.filter_map(|page| page.last().map(|(letter, _)| *letter)).min();
        let is_before_end = |(letter, _): &&(LetterId, u64)| end.is_none_or(|end| *letter <= end);
        findings.merge(queue, stored.iter().filter(is_before_end), indexed.iter().filter(is_before_end));
        match end {
            Some(end) => after = Some(end),
            None => return Ok(()),
        }
    }
}

impl Findings {
    fn merge<'l>(
        &mut self,
        queue: &QueueName,
        stored: impl Iterator<Item = &'l (LetterId, u64)>,
        indexed: impl Iterator<Item = &'l (LetterId, u64)>,
    ) {
        let (mut stored, mut indexed) = (stored.peekable(), indexed.peekable());
        loop {
            let order = match (stored.peek(), indexed.peek()) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((stored, _)), Some((indexed, _))) => stored.cmp(indexed),
            };
            let one = if order.is_le() { stored.next() } else { None };
            let other = if order.is_ge() { indexed.next() } else { None };
            match (one, other) {
                (Some(one), Some(other)) if one == other => self.agree(one.0, one.1),
                (one, other) => self.differing.extend(one.or(other).map(|(letter, _)| (queue.clone(), *letter))),
            }
        }
    }

    fn agree(&mut self, letter: LetterId, revision: u64) {
        self.agreed += 1;
        self.digest.update(letter.ksuid().as_bytes());
        self.digest.update(revision.to_be_bytes());
    }
}

/// Reads differing letters again; returns how many really differ.
async fn recheck(
    core: &Core,
    target: &Target,
    letters: &[(QueueName, LetterId)],
    findings: &mut Findings,
) -> Result<u64, SearchError> {
    let first = revisions(&*core.store, letters).await?;
    catch_up(core, target).await?;
    let ids: Vec<LetterId> = letters.iter().map(|(_, letter)| *letter).collect();
    let indexed = core.client.versions(&target.name, &ids).await?;
    let last = revisions(&*core.store, letters).await?;
    let mut wrong = 0;
    for ((first, last), letter) in first.into_iter().zip(last).zip(ids) {
        match (first, indexed.get(&letter).copied(), last) {
            (_, None, None) => {}
            (Some(first), Some(indexed), last) if indexed >= first && last.is_none_or(|last| indexed <= last) => {
                findings.agree(letter, indexed);
            }
            _ => wrong += 1,
        }
    }
    Ok(wrong)
}

async fn revisions(store: &dyn Store, letters: &[(QueueName, LetterId)]) -> Result<Vec<Option<u64>>, StoreError> {
    let mut revisions = Vec::with_capacity(letters.len());
    for (queue, letter) in letters {
        revisions.push(stored_revision(store, queue, *letter).await?);
    }
    Ok(revisions)
}

/// Returns the queues of all documents in an index.
async fn queues_in_index(client: &Client, index: &str) -> Result<BTreeSet<QueueName>, SearchTrouble> {
    let mut queues = BTreeSet::new();
    let mut after: Option<Value> = None;
    loop {
        let mut composite = json!({"size": 1_000, "sources": [{"queue": {"terms": {"field": "queue"}}}]});
        if let Some(after) = &after {
            composite["after"] = after.clone();
        }
        let query = json!({"size": 0, "aggs": {"queues": {"composite": composite}}});
        let answer: Value = client.post(&format!("/{index}/_search"), &query).await?;
        let found = answer.pointer("/aggregations/queues").ok_or(SearchTrouble::Garbage)?;
        let buckets = found.get("buckets").and_then(Value::as_array).ok_or(SearchTrouble::Garbage)?;
        let names = buckets.iter().filter_map(|bucket| bucket.pointer("/key/queue")?.as_str());
        queues.extend(names.filter_map(|name| QueueName::new(name).ok()));
        match found.get("after_key") {
            Some(key) if !buckets.is_empty() => after = Some(key.clone()),
            _ => return Ok(queues),
        }
    }
}
