//! Sending changes, until each one is in the index or there is trouble.
//!
//! A document that the index cannot take is sent again with less in it: quarantined, and found by its name, its status and
//! its times. Everything else that fails is trouble; the changes stay in the feed, and come again from there.

use redrive_core::LetterId;

use super::Op;
use crate::client::{Bulk, Client, ItemResult, SearchTrouble, Verdict};

/// An index by its own name, or by its alias.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) is_alias: bool,
}

/// What became of changes.
#[derive(Debug, Default)]
pub(crate) struct Delivered {
    pub(crate) indexed: u64,
    pub(crate) deleted: u64,
    /// The index had them already, or had newer ones.
    pub(crate) conflicts: u64,
    pub(crate) quarantined: u64,
    /// What the index is known to have.
    pub(crate) acknowledged: Vec<(LetterId, u64)>,
    /// Why the rest was not delivered.
    pub(crate) trouble: Option<SearchTrouble>,
}

/// Sends changes, of which no two are about the same letter.
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
            Ok(results) => waiting.push(delivered.book(changes, results)),
            // Too large, or something in it that ends the whole request: in halves it is found.
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
    /// Counts what was done; gives what is to be sent again with less in it.
    fn book(&mut self, changes: Vec<Op>, results: Vec<ItemResult>) -> Vec<Op> {
        let mut again = Vec::new();
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
                Verdict::Unfit => again.extend(self.reduce(change)),
                Verdict::Trouble(trouble) => self.trouble = Some(trouble),
            }
        }
        again
    }

    /// Nothing is dropped: what cannot be made any smaller is trouble.
    fn reduce(&mut self, change: Op) -> Option<Op> {
        let reduced = change.reduced();
        if reduced.is_none() {
            self.trouble = Some(SearchTrouble::Refused { status: 400, kind: "no document fits".to_owned() });
        }
        reduced
    }
}
