//! A partition of a topic as the broker keeps it, with the committed position of the group.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use redrive_model::Content;

use super::random::LogRandom;
use crate::log::{CompletionMap, TopicPartition};
use crate::record::Record;

#[derive(Debug)]
pub(super) struct BrokerPartition {
    pub(super) at: TopicPartition,
    /// The offset at which the log of the broker starts.
    pub(super) start: i64,
    /// The offset of the next record. There may be offsets without records below it.
    pub(super) end: i64,
    pub(super) records: Vec<Record>,
    /// The offsets of records that were processed, by any assignment.
    pub(super) done: BTreeSet<i64>,
    /// The offset from which the client reads next.
    pub(super) next_read: i64,
    pub(super) committed: Option<(i64, String)>,
    /// The current assignment, unless it is draining.
    pub(super) epoch: Option<u64>,
}

impl BrokerPartition {
    pub(super) fn new(number: i32, random: &mut LogRandom) -> Self {
        let start = if random.one_in(3) { 0 } else { random.offset_below(10_000) };
        Self {
            at: TopicPartition { topic: Arc::from("orders"), partition: number },
            start,
            end: start,
            records: Vec::new(),
            done: BTreeSet::new(),
            next_read: start,
            committed: None,
            epoch: None,
        }
    }

    /// Appends records. Some offsets stay without a record: compacted ones, and markers of transactions.
    pub(super) fn append(&mut self, count: usize, random: &mut LogRandom) {
        for _ in 0..count {
            if random.one_in(4) {
                self.end += 1 + random.offset_below(3);
            }
            self.append_at_end(random);
        }
        if random.one_in(6) {
            self.end += 1 + random.offset_below(3);
        }
    }

    fn append_at_end(&mut self, random: &mut LogRandom) {
        let key = random.one_of(&[None, Some(""), Some("a"), Some("b"), Some("c")]).flatten();
        let content = Content {
            key: key.map(|key| Bytes::from_static(key.as_bytes())),
            payload: Bytes::from(vec![b'x'; random.below(100)]),
            ..Content::default()
        };
        let content = Arc::new(content);
        // A record at an offset that is used again has another timestamp.
        let timestamp = Some(random.offset_below(1 << 40));
        self.records.push(Record { offset: self.end, timestamp, content, nulls: None, failure: None });
        self.end += 1;
    }

    /// The next records that the client reads.
    pub(super) fn read(&mut self, count: usize) -> Vec<Record> {
        let unread = self.records.iter().filter(|record| record.offset >= self.next_read);
        let read: Vec<Record> = unread.take(count).cloned().collect();
        if let Some(last) = read.last() {
            self.next_read = last.offset + 1;
        }
        read
    }

    /// The last record that the client has read.
    pub(super) fn last_read(&self) -> Option<Record> {
        self.records.iter().rfind(|record| record.offset < self.next_read).cloned()
    }

    pub(super) fn has_unread(&self) -> bool {
        self.records.last().is_some_and(|last| last.offset >= self.next_read)
    }

    /// Where a new assignment starts to read: at the committed position if the broker has it, else at the start.
    pub(super) fn rewind(&mut self) {
        let is_in_range = |position: &i64| (self.start..=self.end).contains(position);
        self.next_read =
            self.committed.as_ref().map(|(position, _)| *position).filter(is_in_range).unwrap_or(self.start);
    }

    /// Stores a commit. No record may be skipped by it that was not processed.
    pub(super) fn commit(&mut self, position: i64, metadata: String) {
        let map = CompletionMap::decode(position, &metadata).unwrap();
        for record in &self.records {
            let is_skipped = record.offset < position || map.contains(record.offset);
            assert!(!is_skipped || self.done.contains(&record.offset), "{}: {} is lost", self.at, record.offset);
        }
        self.committed = Some((position, metadata));
    }

    /// The topic is deleted and created again, with a record. The broker deletes the commits of a deleted topic.
    pub(super) fn recreate(&mut self, random: &mut LogRandom) {
        (self.start, self.end, self.next_read) = (0, 0, 0);
        self.records.clear();
        self.done.clear();
        self.committed = None;
        self.append_at_end(random);
    }

    /// The records from an offset on are lost by an election, and the offset is used again.
    pub(super) fn truncate(&mut self, end: i64, random: &mut LogRandom) {
        self.end = end;
        self.records.retain(|record| record.offset < end);
        self.done.retain(|offset| *offset < end);
        self.append_at_end(random);
    }
}
