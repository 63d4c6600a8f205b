//! Whether an index has what the store has, while both change.
//!
//! Two lists in the same order are gone through side by side. Where they differ, somebody may have changed a letter between
//! two looks; so each of these is looked at once more: in the store, then in the index when it has caught up, then in the
//! store again. An index that has caught up is no older than the first look, and never newer than the last.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use redrive_core::{LetterId, QueueName};
use redrive_model::{GetLetter, Rejection};
use redrive_store::{Store, StoreError};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::SearchError;
use crate::catch_up::catch_up;
use crate::client::{Client, SearchTrouble};
use crate::copy::{next_queue, page_of};
use crate::projection::{Core, Target};
use crate::scan::Scan;

/// So many letters are looked at at once.
const PAGE: usize = 500;

/// What store and index agree on.
#[derive(Debug)]
pub(crate) struct Agreement {
    pub(crate) letters: u64,
    pub(crate) digest: String,
}

#[derive(Debug, Default)]
struct Findings {
    agreed: u64,
    digest: Sha256,
    doubtful: Vec<(QueueName, LetterId)>,
}

pub(crate) async fn compare(core: &Core, target: &Target) -> Result<Agreement, SearchError> {
    core.index.refresh(&target.name).await?;
    let mut queues = queues_in_index(&core.client, &target.name).await?;
    let mut after = None;
    while let Some(queue) = next_queue(&*core.store, after.as_ref()).await? {
        queues.insert(queue.clone());
        after = Some(queue);
    }
    let mut findings = Findings::default();
    for queue in &queues {
        walk(core, target, queue, &mut findings).await?;
    }
    let doubtful = std::mem::take(&mut findings.doubtful);
    let mut wrong = 0;
    for few in doubtful.chunks(PAGE) {
        wrong += settle(core, target, few, &mut findings).await?;
    }
    if wrong > 0 {
        return Err(SearchError::Differs { store: findings.agreed + wrong, index: findings.agreed });
    }
    let digest = findings.digest.finalize().iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    Ok(Agreement { letters: findings.agreed, digest })
}

/// Goes through the letters of a queue, here and there.
async fn walk(core: &Core, target: &Target, queue: &QueueName, findings: &mut Findings) -> Result<(), SearchError> {
    let mut after = None;
    loop {
        let here = page_of(&*core.store, queue, after, PAGE).await?;
        let scan = Scan { index: &target.name, queue, after, limit: PAGE };
        let there = scan.read(&core.client).await?;
        // Behind the end of the shorter full page, the other one has not been read.
        let ends = [&here, &there].into_iter().filter(|page| page.len() == PAGE);
        let end = ends.filter_map(|page| page.last().map(|(letter, _)| *letter)).min();
        let is_before_end = |(letter, _): &&(LetterId, u64)| end.is_none_or(|end| *letter <= end);
        findings.join(queue, here.iter().filter(is_before_end), there.iter().filter(is_before_end));
        match end {
            Some(end) => after = Some(end),
            None => return Ok(()),
        }
    }
}

impl Findings {
    fn join<'l>(
        &mut self,
        queue: &QueueName,
        here: impl Iterator<Item = &'l (LetterId, u64)>,
        there: impl Iterator<Item = &'l (LetterId, u64)>,
    ) {
        let (mut here, mut there) = (here.peekable(), there.peekable());
        loop {
            let order = match (here.peek(), there.peek()) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((here, _)), Some((there, _))) => here.cmp(there),
            };
            let one = if order.is_le() { here.next() } else { None };
            let other = if order.is_ge() { there.next() } else { None };
            match (one, other) {
                (Some(one), Some(other)) if one == other => self.agree(one.0, one.1),
                (one, other) => self.doubtful.extend(one.or(other).map(|(letter, _)| (queue.clone(), *letter))),
            }
        }
    }

    fn agree(&mut self, letter: LetterId, revision: u64) {
        self.agreed += 1;
        self.digest.update(letter.ksuid().as_bytes());
        self.digest.update(revision.to_be_bytes());
    }
}

/// Looks once more at letters that differed; gives how many are wrong.
async fn settle(
    core: &Core,
    target: &Target,
    letters: &[(QueueName, LetterId)],
    findings: &mut Findings,
) -> Result<u64, SearchError> {
    let first = revisions(&*core.store, letters).await?;
    catch_up(core, target).await?;
    let there = versions(&core.client, &target.name, letters).await?;
    let last = revisions(&*core.store, letters).await?;
    let mut wrong = 0;
    for (((first, there), last), (_, letter)) in first.into_iter().zip(there).zip(last).zip(letters) {
        match (first, there, last) {
            (_, None, None) => {}
            (Some(first), Some(there), last) if there >= first && last.is_none_or(|last| there <= last) => {
                findings.agree(*letter, there);
            }
            _ => wrong += 1,
        }
    }
    Ok(wrong)
}

async fn revisions(store: &dyn Store, letters: &[(QueueName, LetterId)]) -> Result<Vec<Option<u64>>, StoreError> {
    let mut revisions = Vec::with_capacity(letters.len());
    for (queue, letter) in letters {
        revisions.push(match store.letter(GetLetter { queue: queue.clone(), letter: *letter }).await {
            Ok(record) => record.info.letter.map(|info| info.revision),
            Err(StoreError::Rejected(Rejection::NoSuchLetter(_) | Rejection::NoSuchQueue(_))) => None,
            Err(error) => return Err(error),
        });
    }
    Ok(revisions)
}

/// The revisions that the index has, without a search: nothing is too new to be seen.
async fn versions(
    client: &Client,
    index: &str,
    letters: &[(QueueName, LetterId)],
) -> Result<Vec<Option<u64>>, SearchTrouble> {
    #[derive(Deserialize)]
    struct Found {
        docs: Vec<Doc>,
    }
    #[derive(Deserialize)]
    struct Doc {
        #[serde(rename = "_version", default)]
        version: Option<u64>,
    }
    let ids: Vec<&LetterId> = letters.iter().map(|(_, letter)| letter).collect();
    let found: Found = client.post(&format!("/{index}/_mget?_source=false"), &json!({"ids": ids})).await?;
    if found.docs.len() != letters.len() {
        return Err(SearchTrouble::Garbage);
    }
    Ok(found.docs.into_iter().map(|doc| doc.version).collect())
}

/// The queues that documents of an index name.
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
