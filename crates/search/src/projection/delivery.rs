//! Sends changes until each one is in the index or an error occurs.
//!
//! A document that the index rejects is sent again with reduced content: it is quarantined, but can still be found by
//! its name, its status and its times. Every other failure is an error; the changes stay in the feed and are read
//! again.

use redrive_core::LetterId;

use super::Op;
use crate::client::{Bulk, Client, ItemResult, SearchTrouble, Verdict};

/// An index, by its name or by its alias.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) is_alias: bool,
}

/// The outcome of sending changes.
#[derive(Debug, Default)]
pub(crate) struct Delivered {
    pub(crate) indexed: u64,
    pub(crate) deleted: u64,
    /// The index already had the same or a newer revision.
    pub(crate) conflicts: u64,
    pub(crate) quarantined: u64,
    /// Letters and revisions that the index has.
    pub(crate) acknowledged: Vec<(LetterId, u64)>,
    /// Why the rest was not sent.
    pub(crate) trouble: Option<SearchTrouble>,
}

/// Sends changes, at most one per letter.
pub(crate) async fn deliver(client: &Client, target: &Target, changes: Vec<Op>) -> Delivered {
    let mut delivered = Delivered::default();
    let mut waiting = vec![changes];
    while let Some(mut changes) = waiting.pop() {
        if changes.is_empty() {
            continue;
        }
        let mut bulk = Bulk::default();
        changes.iter().for_each(|change| bulk.add(change.letter, &change.lines));
        match bulk.send(client, &target.name, target.is_alias).await {
            Ok(results) => waiting.push(delivered.record(changes, results)),
            // Too large, or one document makes the whole request fail: bisect to find it.
            Err(SearchTrouble::Refused { status: 400 | 413, .. }) if changes.len() > 1 => {
                waiting.push(changes.split_off(changes.len() / 2));
                waiting.push(changes);
            }
            Err(SearchTrouble::Refused { status: 400 | 413, .. }) => {
                waiting.push(changes.into_iter().filter_map(|change| delivered.reduce(change)).collect());
            }
            Err(trouble) => delivered.trouble = Some(trouble),
        }
        if delivered.trouble.is_some() {
            break;
        }
    }
    delivered
}

impl Delivered {
    /// Counts results; returns the changes to send again with reduced content.
    fn record(&mut self, changes: Vec<Op>, results: Vec<ItemResult>) -> Vec<Op> {
        let mut to_resend = Vec::new();
        for (change, result) in changes.into_iter().zip(results) {
            match result.verdict {
                Verdict::Done => {
                    let counter = match () {
                        () if change.is_delete() => &mut self.deleted,
                        () if change.is_reduced() => &mut self.quarantined,
                        () => &mut self.indexed,
                    };
                    *counter += 1;
                    self.acknowledged.push((change.letter, change.revision));
                }
                Verdict::Newer => {
                    self.conflicts += 1;
                    self.acknowledged.push((change.letter, change.revision));
                }
                Verdict::Unfit => to_resend.extend(self.reduce(change)),
                Verdict::Trouble(trouble) => self.trouble = Some(trouble),
            }
        }
        to_resend
    }

    /// Returns a smaller change. No change is dropped: one that cannot be reduced further is an error.
    fn reduce(&mut self, change: Op) -> Option<Op> {
        let reduced = change.reduced();
        if reduced.is_none() {
            self.trouble = Some(SearchTrouble::Refused { status: 400, kind: "no document fits".to_owned() });
        }
        reduced
    }
}
