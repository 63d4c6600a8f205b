//! Assignments: partitions come and go while records run.

use std::collections::BTreeMap;
use std::time::Duration;

use redrive_core::Span;
use redrive_kafka::{ConsumerSnapshot, KafkaConsumer, KafkaSettings, KafkaSource, ShutdownPolicy, TroubleKind};
use redrive_run::{
    Call, ClaimSpec, Delivery, DestinationFilter, FinishedDelivery, Handler, Resolution, SettleError, Source,
};
use tokio::time::Instant;

use crate::fixture::{
    Cluster, Gate, Metrics, NewRecord, Recorder, commits, has_trouble, open_records, stop_after_commits, wait_for,
    wait_for_commits, wait_until,
};

const EAGER: &str = "range";
const COOPERATIVE: &str = "cooperative-sticky";

/// A member learns of a rebalance with its next heartbeat.
fn with_frequent_heartbeats(mut settings: KafkaSettings) -> KafkaSettings {
    settings.consumer_properties.insert("heartbeat.interval.ms".to_owned(), "200".to_owned());
    settings
}

/// Settings of a member. Of the members of an eager group, the first in the order of their names gets the partition.
fn member(settings: &KafkaSettings, name: &str, strategy: &str) -> KafkaSettings {
    let mut settings = with_frequent_heartbeats(settings.clone());
    settings.properties.insert("client.id".to_owned(), name.to_owned());
    settings.consumer_properties.insert("partition.assignment.strategy".to_owned(), strategy.to_owned());
    settings
}

fn is_assigned(partitions: usize) -> impl Fn(&ConsumerSnapshot) -> bool {
    move |snapshot| snapshot.partitions.len() == partitions && snapshot.partitions.iter().all(|one| !one.is_draining)
}

fn is_revoking(snapshot: &ConsumerSnapshot) -> bool {
    snapshot.partitions.iter().any(|partition| partition.is_draining)
}

async fn claim_one(source: &KafkaSource) -> Delivery<redrive_kafka::RecordFence> {
    let claim = source.claim(ClaimSpec { count: 1, scope: DestinationFilter::AllBut(Vec::new()) });
    tokio::time::timeout(crate::fixture::WITHIN, claim).await.unwrap().unwrap().remove(0)
}

async fn ack(source: &KafkaSource, delivery: &Delivery<redrive_kafka::RecordFence>) -> Result<(), SettleError> {
    let resolution = Resolution::Ack { result: None };
    source.settle(&[FinishedDelivery { fence: delivery.fence, resolution, attempt: None }]).await.remove(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_of_the_first_assignment_is_dropped_in_the_third() {
    let metrics = Metrics::install();
    let (cluster, topic) = Cluster::with_topic("epochs", 1).await;
    cluster.produce(&topic, ["1", "2"].map(|value| NewRecord::keyed("a", value)));
    let settings = KafkaSettings { max_revoke_grace: Span::from_millis(50), ..cluster.settings(&topic) };
    let source = KafkaSource::open(member(&settings, "first", EAGER), None).await.unwrap();
    let mut epochs = Vec::new();
    let mut claims = Vec::new();
    let mut other: Option<KafkaConsumer> = None;
    for _ in 0..3 {
        wait_until("the partition is assigned again", async || {
            let epoch = source.snapshot().partitions.first().map(|partition| partition.epoch);
            epoch.is_some_and(|epoch| Some(&epoch) != epochs.last())
        })
        .await;
        epochs.push(source.snapshot().partitions[0].epoch);
        claims.push(claim_one(&source).await);
        // Another member that joins or leaves makes an eager group assign all partitions again.
        match other.take() {
            Some(other) => drop(other.stop().await),
            None if epochs.len() < 3 => {
                let settings = member(&settings, "second", EAGER);
                other = Some(KafkaConsumer::start(settings, Recorder::done(), None).await.unwrap());
            }
            None => {}
        }
    }
    assert!(epochs.is_sorted() && epochs[0] < epochs[1] && epochs[1] < epochs[2], "{epochs:?}");
    assert!(claims.iter().all(|claim| claim.work.origin.offset == Some(0)), "each assignment starts at the commit");
    for claim in &claims[..2] {
        assert!(claim.cancel.as_ref().unwrap().is_cancelled());
        assert_eq!(ack(&source, claim).await, Err(SettleError::Stale));
        assert_eq!(source.extend(&[claim.fence]).await, [Err(SettleError::Stale)]);
    }
    let snapshot = source.snapshot();
    assert_eq!((snapshot.stale_results, snapshot.partitions[0].position), (2, Some(0)));
    assert_eq!(snapshot.running, 1, "the claim of the third assignment holds");
    let group = settings.group_id.as_str();
    wait_until("the dropped results are counted", async || {
        metrics.value("redrive_kafka_stale_results_dropped_total", &[("group", group)]) == Some(2.0)
    })
    .await;
    assert_eq!(ack(&source, &claims[2]).await, Ok(()));
    source.close().await;
    assert_eq!(cluster.committed(&settings.group_id, &topic, 1)[&0].0, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_within_the_grace_are_committed() {
    let (cluster, topic) = Cluster::with_topic("grace", 2).await;
    let settings = KafkaSettings { max_revoke_grace: Span::from_secs(20), ..cluster.settings(&topic) };
    for partition in [0, 1] {
        let records = [("a", "1"), ("b", "2"), ("a", "3")].map(|(key, value)| NewRecord::keyed(key, value));
        cluster.produce(&topic, records.map(|record| record.to(partition)));
    }
    let gate = Gate::closed();
    let first = KafkaConsumer::start(member(&settings, "b", COOPERATIVE), gate.clone(), None).await.unwrap();
    wait_until("two records of each partition run", async || gate.started().len() == 4).await;
    let second = Recorder::done();
    let joined = KafkaConsumer::start(member(&settings, "a", COOPERATIVE), second.clone(), None).await.unwrap();
    wait_for("a partition is revoked", &first, is_revoking).await;
    gate.open_for_all();
    wait_for("each has a partition", &first, is_assigned(1)).await;
    wait_for_commits(&first, &[3]).await;
    wait_for_commits(&joined, &[3]).await;
    // What ran at the revocation was committed, and what had not begun was left to the new owner.
    assert_eq!(second.values(), ["3"]);
    joined.stop().await;
    let report = first.stop().await;
    assert_eq!(report.lost, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_within_the_grace_are_committed_in_an_eager_group() {
    let (cluster, topic) = Cluster::with_topic("grace", 1).await;
    let settings = KafkaSettings { max_revoke_grace: Span::from_secs(20), ..cluster.settings(&topic) };
    cluster.produce(&topic, [("a", "1"), ("b", "2"), ("a", "3")].map(|(key, value)| NewRecord::keyed(key, value)));
    let gate = Gate::closed();
    let first = KafkaConsumer::start(member(&settings, "b", EAGER), gate.clone(), None).await.unwrap();
    wait_until("two records run", async || gate.started().len() == 2).await;
    let second = Recorder::done();
    let joined = KafkaConsumer::start(member(&settings, "a", EAGER), second.clone(), None).await.unwrap();
    wait_for("the partition is revoked", &first, is_revoking).await;
    gate.open_for_all();
    wait_for_commits(&joined, &[3]).await;
    assert_eq!(second.values(), ["3"]);
    assert!(first.snapshot().partitions.is_empty());
    joined.stop().await;
    first.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_after_the_grace_are_dropped() {
    let (cluster, topic) = Cluster::with_topic("late", 1).await;
    let settings = KafkaSettings { max_revoke_grace: Span::from_millis(100), ..cluster.settings(&topic) };
    cluster.produce(&topic, [("a", "1"), ("b", "2"), ("a", "3")].map(|(key, value)| NewRecord::keyed(key, value)));
    let gate = Gate::closed();
    let first = KafkaConsumer::start(member(&settings, "b", EAGER), gate.clone(), None).await.unwrap();
    wait_until("two records run", async || gate.started().len() == 2).await;
    let second = Recorder::done();
    let joined = KafkaConsumer::start(member(&settings, "a", EAGER), second.clone(), None).await.unwrap();
    wait_for_commits(&joined, &[3]).await;
    gate.open_for_all();
    let mut values = second.values();
    values.sort();
    assert_eq!(values, ["1", "2", "3"]);
    assert_eq!(gate.inner.count(), 0, "the handlers of a lost assignment went on");
    joined.stop().await;
    let report = first.stop().await;
    assert_eq!((report.lost, report.done), (2, 0));
    assert_eq!(cluster.committed(&settings.group_id, &topic, 1)[&0].0, 3);
}

/// A letter of a revoked partition is not sent again by its former owner.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_letter_of_a_revoked_partition_is_left_to_the_next_owner() {
    let (cluster, topic) = Cluster::with_refused_letters("pending", 1).await;
    let settings = KafkaSettings { max_revoke_grace: Span::from_millis(100), ..cluster.settings(&topic) };
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead")]);
    let failing = || Recorder::new(|_| Err(redrive_core::Failure::new("validation failed")));
    let first = KafkaConsumer::start(member(&settings, "b", EAGER), failing(), None).await.unwrap();
    wait_for("the letter is refused", &first, |snapshot| !snapshot.is_healthy()).await;
    let joined = KafkaConsumer::start(member(&settings, "a", EAGER), failing(), None).await.unwrap();
    wait_for("the partition has moved", &joined, is_assigned(1)).await;
    wait_for("the next owner has the record", &joined, |snapshot| !snapshot.is_healthy()).await;
    wait_for("the former owner has nothing to do", &first, |snapshot| {
        (snapshot.dlq_pending, snapshot.is_healthy()) == (0, true)
    })
    .await;
    cluster.take_letters(&topic).await;
    stop_after_commits(joined, &[1]).await;
    first.stop().await;
    assert_eq!(cluster.letters(&topic).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_partitions_go_on_while_one_is_revoked() {
    let (cluster, topic) = Cluster::with_topic("others", 2).await;
    let settings = KafkaSettings { max_revoke_grace: Span::from_secs(30), ..cluster.settings(&topic) };
    for partition in [0, 1] {
        let free = (0..20).map(|key| NewRecord::keyed(&format!("k{key}"), "free").to(partition));
        let slow = NewRecord::keyed("slow", "slow").to(partition);
        cluster.produce(&topic, free.chain([slow]));
    }
    let (slow, free) = (Gate::closed(), Gate::closed());
    let (of_slow, of_free) = (slow.clone(), free.clone());
    let handler = move |call: Call| {
        let gate = if *call.content.payload == *b"slow" { of_slow.clone() } else { of_free.clone() };
        async move { gate.handle(call).await }
    };
    let first = KafkaConsumer::start(member(&settings, "b", COOPERATIVE), handler, None).await.unwrap();
    wait_until("all records run", async || slow.started().len() == 2 && free.started().len() == 40).await;
    let second = Recorder::done();
    let joined = KafkaConsumer::start(member(&settings, "a", COOPERATIVE), second.clone(), None).await.unwrap();
    wait_for("a partition is revoked", &first, is_revoking).await;
    free.open_for_all();
    wait_for("the other partition is processed and committed", &first, |snapshot| {
        let other = snapshot.partitions.iter().find(|partition| !partition.is_draining);
        is_revoking(snapshot) && other.is_some_and(|other| other.committed == Some(20))
    })
    .await;
    slow.open_for_all();
    wait_for("each has a partition", &first, is_assigned(1)).await;
    wait_for_commits(&first, &[21]).await;
    wait_for_commits(&joined, &[21]).await;
    assert_eq!(second.count(), 0, "the record of the revoked partition was committed");
    joined.stop().await;
    first.stop().await;
}

/// Members join and leave while records arrive. Both share one handler, so that the order of the calls is known.
async fn join_and_leave(strategy: &str) {
    let (cluster, topic) = Cluster::with_topic("load", 6).await;
    let settings = cluster.settings(&topic);
    let handler = Recorder::done();
    let start = |name: &str| KafkaConsumer::start(member(&settings, name, strategy), handler.clone(), None);
    let first = start("a").await.unwrap();
    wait_for("the first has all partitions", &first, is_assigned(6)).await;
    let batch = |number: i32| -> Vec<NewRecord> {
        (0..60).map(|index| NewRecord::keyed(&format!("k{}", index % 20), &format!("{number:03}-{index:02}"))).collect()
    };
    let mut batches = 0;
    for _ in 0..2 {
        let second = start("b").await.unwrap();
        wait_until("the group is balanced", async || {
            cluster.produce(&topic, batch(batches));
            batches += 1;
            [&first, &second].map(|member| member.snapshot().partitions.len()) == [3, 3]
        })
        .await;
        cluster.produce(&topic, batch(batches));
        batches += 1;
        second.stop().await;
    }
    cluster.produce(&topic, batch(batches));
    batches += 1;
    let total = i64::from(batches) * 60;
    wait_for("all is committed", &first, |snapshot| {
        commits(snapshot).into_iter().flatten().sum::<i64>() == total && snapshot.partitions.len() == 6
    })
    .await;
    first.stop().await;
    let mut calls: BTreeMap<String, usize> = BTreeMap::new();
    let mut last_of_key: BTreeMap<Option<Vec<u8>>, String> = BTreeMap::new();
    for call in handler.seen() {
        let count = calls.entry(call.value.clone()).or_default();
        *count += 1;
        // The first call of a record comes after that of the record before it.
        if *count == 1 {
            let last = last_of_key.insert(call.key, call.value.clone());
            assert!(last.as_ref().is_none_or(|last| *last < call.value), "{} after {last:?}", call.value);
        }
    }
    assert_eq!(calls.len(), usize::try_from(total).unwrap(), "records were lost");
    let repeated = calls.values().filter(|count| **count > 1).count();
    assert_eq!(repeated, 0, "handlers end within the grace, so nothing is repeated");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_joins_and_leaves_a_cooperative_group_under_load() {
    join_and_leave(COOPERATIVE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_joins_and_leaves_an_eager_group_under_load() {
    join_and_leave(EAGER).await;
}

/// Two members with a pause each: their handlers are held, and more records wait than they accept.
struct PausedPair {
    cluster: Cluster,
    topic: String,
    gate: Gate,
    first: KafkaConsumer,
    second: KafkaConsumer,
}

const OPEN_MAX: usize = 10;
const BATCH: usize = 5;
const RECORDS: i64 = 60;

impl PausedPair {
    async fn start(strategy: &str) -> Self {
        let (cluster, topic) = Cluster::with_topic("paused", 4).await;
        let settings = KafkaSettings {
            queue_max_messages: OPEN_MAX,
            poll_batch_size: BATCH,
            shutdown_policy: ShutdownPolicy::Abort,
            ..cluster.settings(&topic)
        };
        let gate = Gate::closed();
        let start = |name: &str| KafkaConsumer::start(member(&settings, name, strategy), gate.clone(), None);
        let (first, second) = (start("a").await.unwrap(), start("b").await.unwrap());
        wait_for("the first has two partitions", &first, is_assigned(2)).await;
        wait_for("the second has two partitions", &second, is_assigned(2)).await;
        for partition in 0..4 {
            let records = (0..RECORDS).map(|key| NewRecord::keyed(&format!("k{key}"), "v").to(partition));
            cluster.produce(&topic, records);
        }
        for member in [&first, &second] {
            wait_for("the member is paused", member, |snapshot| snapshot.paused_partitions == 2).await;
        }
        Self { cluster, topic, gate, first, second }
    }
}

async fn assigned_while_paused(strategy: &str) {
    let PausedPair { cluster, topic, gate, first, second } = PausedPair::start(strategy).await;
    let group = second.snapshot();
    assert!(open_records(&group) < OPEN_MAX + BATCH, "{group:?}");
    second.stop().await;
    wait_for("the first has all partitions, paused", &first, |snapshot| {
        snapshot.partitions.len() == 4 && snapshot.paused_partitions == 4
    })
    .await;
    // Longer than a paused consumer waits between two polls: time is the subject.
    tokio::time::sleep(Duration::from_millis(1_300)).await;
    let snapshot = first.snapshot();
    // One batch may have been read between the assignment and the pause.
    assert!(open_records(&snapshot) < OPEN_MAX + 2 * BATCH, "{snapshot:#?}");
    gate.open_for_all();
    wait_for_commits(&first, &[RECORDS; 4]).await;
    first.stop().await;
    assert_eq!(cluster.end(&topic, 0), RECORDS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_survives_an_assignment() {
    assigned_while_paused(COOPERATIVE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_survives_an_eager_assignment() {
    assigned_while_paused(EAGER).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_that_ends_during_an_assignment_is_lifted() {
    let PausedPair { gate, first, second, .. } = PausedPair::start(COOPERATIVE).await;
    second.stop().await;
    wait_for("the first has all partitions", &first, |snapshot| snapshot.partitions.len() == 4).await;
    gate.open_for_all();
    wait_for_commits(&first, &[RECORDS; 4]).await;
    first.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_member_leaves_the_group_before_its_session_ends() {
    let (cluster, topic) = Cluster::with_topic("leave", 2).await;
    let mut settings = with_frequent_heartbeats(cluster.settings(&topic));
    settings.consumer_properties.insert("session.timeout.ms".to_owned(), "45000".to_owned());
    let start = || KafkaConsumer::start(settings.clone(), Recorder::done(), None);
    let first = start().await.unwrap();
    for is_stopped in [true, false] {
        let second = start().await.unwrap();
        wait_for("the second has a partition", &second, is_assigned(1)).await;
        let began = Instant::now();
        if is_stopped {
            second.stop().await;
        } else {
            drop(second);
        }
        wait_for("the first has both partitions", &first, is_assigned(2)).await;
        assert!(began.elapsed() < Duration::from_secs(15), "stopped: {is_stopped}, {:?}", began.elapsed());
    }
    first.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_groups_in_one_process_get_all_records_each() {
    let (cluster, topic) = Cluster::with_topic("groups", 3).await;
    cluster.produce(&topic, (0..90).map(|key| NewRecord::keyed(&format!("k{key}"), "v")));
    let mut consumers = Vec::new();
    for group in ["one", "two"] {
        let handler = Recorder::done();
        let settings = KafkaSettings { group_id: cluster.name(group), ..cluster.settings(&topic) };
        consumers.push((KafkaConsumer::start(settings, handler.clone(), None).await.unwrap(), handler));
    }
    for (consumer, handler) in consumers {
        wait_for("all is committed", &consumer, |snapshot| commits(snapshot).into_iter().flatten().sum::<i64>() == 90)
            .await;
        assert_eq!(handler.count(), 90);
        consumer.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_consumer_group_protocol_can_be_chosen() {
    let (cluster, topic) = Cluster::with_topic("protocol", 4).await;
    let mut settings = cluster.settings(&topic);
    settings.consumer_properties = [("group.protocol".to_owned(), "consumer".to_owned())].into();
    let records = |partition: i32| (0..10).map(move |key| NewRecord::keyed(&format!("k{key}"), "v").to(partition));
    cluster.produce(&topic, (0..4).flat_map(records));
    let handler = Recorder::done();
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for_commits(&consumer, &[10; 4]).await;
    consumer.stop().await;
    assert_eq!(handler.count(), 40);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_static_member_that_is_replaced_ends_with_a_fatal_trouble() {
    let (cluster, topic) = Cluster::with_topic("static", 1).await;
    let mut settings = with_frequent_heartbeats(cluster.settings(&topic));
    settings.consumer_properties.insert("group.instance.id".to_owned(), "instance".to_owned());
    let first = KafkaConsumer::start(settings.clone(), Recorder::done(), None).await.unwrap();
    wait_for("the first has the partition", &first, is_assigned(1)).await;
    let handler = Recorder::done();
    let second = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_until("the first has ended", async || first.has_ended()).await;
    let snapshot = first.snapshot();
    assert!(has_trouble(&snapshot, TroubleKind::Fatal), "{:?}", snapshot.troubles);
    assert!(!snapshot.is_healthy());
    cluster.produce(&topic, &[NewRecord::keyed("a", "1")]);
    wait_for_commits(&second, &[1]).await;
    assert_eq!(handler.count(), 1);
    first.stop().await;
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_position_that_the_client_kept_from_an_earlier_assignment_is_not_committed() {
    let (cluster, topic) = Cluster::with_topic("kept-position", 1).await;
    let records: Vec<NewRecord> = (0..20).map(|number| NewRecord::keyed(&format!("k{number}"), "v")).collect();
    cluster.produce(&topic, &records);
    let mut settings = KafkaSettings { max_revoke_grace: Span::from_millis(100), ..cluster.settings(&topic) };
    // The broker answers late, as under load: the client polls without a record first.
    settings.consumer_properties.insert("fetch.min.bytes".to_owned(), "1000000".to_owned());
    settings.consumer_properties.insert("fetch.wait.max.ms".to_owned(), "2000".to_owned());
    let gate = Gate::closed();
    let first = KafkaConsumer::start(member(&settings, "first", EAGER), gate.clone(), None).await.unwrap();
    wait_until("all records run", async || gate.started().len() == 20).await;
    let epoch = first.snapshot().partitions[0].epoch;
    // The range assignor gives the partition to the first member again.
    let second = KafkaConsumer::start(member(&settings, "second", EAGER), Recorder::done(), None).await.unwrap();
    wait_until("the partition is assigned again", async || {
        first.snapshot().partitions.first().is_some_and(|partition| partition.epoch > epoch)
    })
    .await;
    wait_until("all records run again", async || gate.started().len() == 40).await;
    assert_eq!(cluster.committed_sum(&settings.group_id, &topic, 1), 0, "no record is done");
    first.stop().await;
    second.stop().await;
}
