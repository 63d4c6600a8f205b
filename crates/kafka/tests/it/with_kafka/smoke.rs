//! The consumer does what it is for.

use redrive_core::{Evidence, Failure};
use redrive_kafka::KafkaConsumer;
use redrive_run::Call;

use crate::fixture::{Cluster, NewRecord, Recorder, busy, not_found, wait_until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_are_processed_committed_and_dead_lettered() {
    let (cluster, topic) = Cluster::with_topic("orders", 4).await;
    let record = |number: i32| NewRecord::keyed(&format!("k{}", number % 17), &format!("v{number}"));
    cluster.produce(&topic, (0..200).map(record));
    let handler = Recorder::new(|call: &Call| match &*call.content.payload {
        b"v13" => Err(not_found()),
        b"v14" if call.attempt < 3 => Err(busy()),
        b"v15" => Err(Failure::new("always busy").with_evidence(Evidence::http(503))),
        _ => Ok(()),
    });
    let settings = cluster.settings(&topic);
    let group = settings.group_id.clone();
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_until("all offsets are committed", async || {
        cluster.committed(&group, &topic, 4).values().map(|(position, _)| *position).sum::<i64>() == 200
    })
    .await;
    let report = consumer.stop().await;
    assert_eq!((report.done, report.dead_lettered, report.retried), (198, 2, 4));
    let mut letters: Vec<(String, Option<String>)> =
        cluster.letters(&topic).iter().map(|letter| (letter.text(), letter.header("x-retry-attempt"))).collect();
    letters.sort();
    assert_eq!(letters, [("v13".to_owned(), Some("1".to_owned())), ("v15".to_owned(), Some("3".to_owned()))]);
}
