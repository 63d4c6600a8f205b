//! The records that a group has committed, as another program reads them from the broker.

use std::collections::BTreeSet;
use std::sync::Mutex;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use crate::fixture::{Cluster, WITHIN};

/// Reads the commits of a group for partition 0 of a topic.
pub(super) struct CommitReader {
    group: String,
    topic: String,
    /// Created at the first use.
    client: Mutex<Option<BaseConsumer>>,
}

/// A committed position, and the offsets above it that are done.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CommittedOffsets {
    pub(super) position: i64,
    pub(super) done: BTreeSet<i64>,
}

impl CommitReader {
    pub(super) fn new(group: &str, topic: &str) -> Self {
        Self { group: group.to_owned(), topic: topic.to_owned(), client: Mutex::new(None) }
    }

    pub(super) fn read(&self, cluster: &Cluster) -> CommittedOffsets {
        let mut client = self.client.lock().unwrap();
        let client = client.get_or_insert_with(|| cluster.config().set("group.id", &self.group).create().unwrap());
        let mut wanted = TopicPartitionList::new();
        wanted.add_partition(&self.topic, 0);
        let committed = client.committed_offsets(wanted, WITHIN).unwrap();
        let elements = committed.elements();
        match elements[0].offset() {
            Offset::Offset(position) => CommittedOffsets { position, done: done(position, elements[0].metadata()) },
            _ => CommittedOffsets::default(),
        }
    }
}

/// Decodes a completion map by the description of its format.
fn done(position: i64, metadata: &str) -> BTreeSet<i64> {
    if metadata.is_empty() {
        return BTreeSet::new();
    }
    let raw = |text: &str| BASE64.decode(text).unwrap();
    if let Some(bits) = metadata.strip_prefix("redrive1:b:") {
        let bits: Vec<bool> = raw(bits).iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect();
        return (position..).zip(bits).filter(|(_, is_done)| *is_done).map(|(offset, _)| offset).collect();
    }
    let mut numbers = numbers(&raw(metadata.strip_prefix("redrive1:r:").unwrap())).into_iter();
    let (mut done, mut at) = (BTreeSet::new(), position);
    while let Some(open) = numbers.next() {
        let end = at + open + numbers.next().unwrap();
        done.extend(at + open..end);
        at = end;
    }
    done
}

/// LEB128 numbers.
fn numbers(raw: &[u8]) -> Vec<i64> {
    let number = |group: &[u8]| group.iter().rev().fold(0, |number, byte| number << 7 | i64::from(byte & 0x7f));
    raw.split_inclusive(|byte| byte & 0x80 == 0).map(number).collect()
}

#[test]
fn both_forms_of_a_completion_map_are_read() {
    let offsets = |text: &str| done(10, text).into_iter().collect::<Vec<i64>>();
    // 1 open, 2 done; then 200 open, 1 done.
    let runs = format!("redrive1:r:{}", BASE64.encode([1, 2, 200, 1, 1]));
    assert_eq!(offsets(&runs), [11, 12, 213]);
    let bits = format!("redrive1:b:{}", BASE64.encode([0b0000_0110, 0b1000_0000]));
    assert_eq!(offsets(&bits), [11, 12, 25]);
    assert_eq!(offsets(""), [] as [i64; 0]);
}
