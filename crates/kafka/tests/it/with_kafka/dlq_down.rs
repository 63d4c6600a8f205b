//! A DLQ that fails for long while everything else works.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use redrive_kafka::{KafkaConsumer, KafkaSettings, TroubleKind};
use redrive_run::{Call, Handled, Handler};

use crate::fixture::{Cluster, NewRecord, has_trouble, not_found, rounds, stop_when_healthy, wait_until};

const PARTITIONS: i32 = 4;
/// Keys whose records succeed, each in [`WORK`]. A hundred records a second take a small part of a processor, also in a
/// debug build: what the test compares is how long records wait for each other, and not for a busy machine.
const HEALTHY_KEYS: u64 = 40;
const WORK: Duration = Duration::from_millis(400);
/// Keys whose records fail for good.
const FAILING_KEYS: u64 = 20;
/// Of so many records, the first one fails.
const ONE_FAILS_OF: u64 = 11;

/// Settings with which a DLQ topic takes no letter, and its usual ones.
const REJECTING: &[(&str, &str)] = &[("retention.ms", "-1"), ("max.message.bytes", "1")];
const ACCEPTING: &[(&str, &str)] = &[("retention.ms", "-1")];

/// Counts healthy records. The values of the others begin with `bad`.
#[derive(Clone, Default)]
struct Counter(Arc<AtomicU64>);

impl Counter {
    fn get(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Handler for Counter {
    async fn handle(&self, call: Call) -> Handled {
        if call.content.payload.starts_with(b"bad") {
            return Handled::failed(not_found());
        }
        tokio::time::sleep(WORK).await;
        self.0.fetch_add(1, Ordering::SeqCst);
        Handled::DONE
    }
}

/// Enough records for healthy keys to work for this many seconds.
fn records(seconds: u64) -> Vec<NewRecord> {
    let per_second = HEALTHY_KEYS * 1_000 / u64::try_from(WORK.as_millis()).unwrap();
    (0..seconds * per_second)
        .map(|number| match number % ONE_FAILS_OF {
            0 => NewRecord::keyed(&format!("bad{}", number / ONE_FAILS_OF % FAILING_KEYS), &format!("bad-{number}")),
            _ => NewRecord::keyed(&format!("k{}", number % HEALTHY_KEYS), &format!("v-{number}")),
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn healthy_keys_go_on_while_the_dlq_rejects_letters_and_then_all_letters_arrive_in_order() {
    let (cluster, topic) = Cluster::with_topic("down", PARTITIONS).await;
    let reference_dlq = format!("{topic}.reference");
    cluster.create(&reference_dlq, 1, ACCEPTING).await;
    let seconds = rounds(20, 60);
    cluster.produce(&topic, records(seconds + 10));
    let settings = cluster.settings(&topic);
    let group = settings.group_id.clone();
    // The same consumer with a DLQ that works, at the same time: what slows both down is not the DLQ.
    let reference = KafkaSettings {
        group_id: cluster.name("reference"),
        dlq_topic_suffix: ".reference".to_owned(),
        ..cluster.settings(&topic)
    };
    let (handler, reference_handler) = (Counter::default(), Counter::default());
    cluster.alter(&format!("{topic}.dlq"), REJECTING).await;
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    let reference = KafkaConsumer::start(reference, reference_handler.clone(), None).await.unwrap();
    wait_until("both work, and letters are rejected", async || {
        let is_rejected = has_trouble(&consumer.snapshot(), TroubleKind::HandOver);
        is_rejected && handler.get() > 0 && reference_handler.get() > 0
    })
    .await;
    let epochs = |consumer: &KafkaConsumer| -> Vec<u64> {
        consumer.snapshot().partitions.iter().map(|partition| partition.epoch).collect()
    };
    let (before, reference_before, epochs_before) = (handler.get(), reference_handler.get(), epochs(&consumer));
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let (count, reference_count) = (handler.get() - before, reference_handler.get() - reference_before);
    let snapshot = consumer.snapshot();
    assert!(!consumer.has_ended() && !snapshot.is_healthy(), "alive and degraded");
    assert!(consumer.health().await.hand_over_trouble.is_some());
    assert_eq!(epochs(&consumer), epochs_before, "the consumer polls, and so stays in the group");
    assert_eq!(snapshot.letters, 0);
    assert!(snapshot.dlq_pending > 0, "{snapshot:?}");
    for partition in snapshot.partitions.iter().filter(|partition| partition.dlq_pending > 0) {
        assert!(partition.committed < partition.next_offset, "no letter, no commit: {partition:?}");
    }
    println!("{count} records in {seconds} s with a DLQ that fails, {reference_count} with one that works");
    assert!(count * 10 >= reference_count * 9, "{count} records, and {reference_count} with a DLQ that works");

    cluster.alter(&format!("{topic}.dlq"), ACCEPTING).await;
    let end = i64::try_from(records(seconds + 10).len()).unwrap();
    for (name, consumer) in [(&group, consumer), (&cluster.name("reference"), reference)] {
        cluster.wait_for_commits(name, &topic, PARTITIONS, end).await;
        stop_when_healthy(consumer).await;
    }
    let mut letters: BTreeMap<Option<Vec<u8>>, Vec<i64>> = BTreeMap::new();
    for letter in cluster.letters(&topic) {
        letters.entry(letter.key.clone()).or_default().push(letter.source().2);
    }
    let failing = records(seconds + 10).len().div_ceil(usize::try_from(ONE_FAILS_OF).unwrap());
    assert_eq!(letters.values().map(Vec::len).sum::<usize>(), failing);
    for (key, offsets) in letters {
        assert!(offsets.is_sorted(), "the letters of {key:?} are not in order: {offsets:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dlq_topic_that_is_deleted_and_created_again_gets_its_letters() {
    let (cluster, topic) = Cluster::with_topic("deleted", 1).await;
    let dlq = format!("{topic}.dlq");
    let settings = cluster.settings(&topic);
    let group = settings.group_id.clone();
    let consumer = KafkaConsumer::start(settings, Counter::default(), None).await.unwrap();
    cluster.produce(&topic, &[NewRecord::keyed("a", "bad-0")]);
    wait_until("the first letter", async || consumer.snapshot().letters == 1).await;
    cluster.delete(&dlq).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "bad-1"), NewRecord::keyed("a", "bad-2")]);
    wait_until("the next letter waits", async || !consumer.snapshot().is_healthy()).await;
    assert_eq!(cluster.committed_sum(&group, &topic, 1), 1);
    cluster.create(&dlq, 1, ACCEPTING).await;
    wait_until("the commit", async || cluster.committed_sum(&group, &topic, 1) == 3).await;
    stop_when_healthy(consumer).await;
    let letters: Vec<String> = cluster.letters(&topic).iter().map(crate::fixture::FoundRecord::text).collect();
    assert_eq!(letters, ["bad-1", "bad-2"]);
}
