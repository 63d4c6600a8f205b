//! A server that is told to stop.

use std::sync::Arc;

use redrive_core::Span;
use redrive_journal::SimDisk;
use redrive_server::Settings;
use serde_json::json;
use tokio::net::TcpStream;

use crate::bed::{Bed, Gate, bounded, each};

#[tokio::test]
async fn waiting_leases_end_with_a_clear_code() {
    each(async |mut bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let mut waiting = vec![bed.leasing("q", "a", 1).await, bed.leasing("q", "b", 5).await];
        let claim = json!({ "queue_name": "q", "batch_size": 1, "request_timeout": "15m" });
        waiting.push(bed.calling("/v1/queue.claim", claim).await);
        bed.until_waiting("q", 3).await;
        bed.stop().await;
        for lease in waiting {
            assert_eq!(lease.await.unwrap().refusal(), (453, "service is shutting down".to_owned()));
        }
    })
    .await;
}

#[tokio::test]
async fn a_produce_under_way_is_answered_and_new_connections_are_refused() {
    bounded(async {
        let (disk, gate) = (SimDisk::new(), Gate::default());
        let mut bed = Bed::on_disk(gate.disk(&disk)).await;
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        gate.shut();
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": "under way" }] });
        let produce = bed.calling("/v1/queue.produce", produce).await;
        let at_gate = {
            let gate = gate.clone();
            tokio::task::spawn_blocking(move || gate.until_somebody_waits())
        };
        at_gate.await.unwrap();
        let address = bed.address();
        let stopping = tokio::spawn(async move {
            bed.stop().await;
            bed
        });
        while TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
        assert!(!produce.is_finished());
        gate.open();
        assert_eq!(produce.await.unwrap().status, 200);
        let mut bed = stopping.await.unwrap();
        bed.restart().await;
        assert_eq!(bed.caller().await.counts("q").await, [(1, 0, 0)]);
    })
    .await;
}

#[tokio::test]
async fn idle_connections_do_not_hold_it_up() {
    each(async |mut bed| {
        let mut used = bed.raw().await;
        used.post("/v1/queues.list", "{}").await;
        assert_eq!(used.hear().await.unwrap().status, 200);
        let mut silent = bed.raw().await;
        // A whole request on another connection: by then the server has seen the others.
        bed.caller().await.ok("/v1/queues.list", json!({})).await;
        bed.stop().await;
        assert!(used.is_ended().await && silent.is_ended().await);
    })
    .await;
}

/// The machine's time is moved by hand: whoever waits for it is woken at once.
#[tokio::test]
async fn what_never_comes_is_cut_at_the_end_of_the_time_of_grace() {
    for beginning in [
        "POST /v1/queues.list HTTP/1.1\r\nhost",
        "POST /v1/queues.list HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{",
    ] {
        // Shorter than a body may take to come.
        let (listen, shutdown_grace) = (([127, 0, 0, 1], 0).into(), Span::from_secs(5));
        let settings = Settings { listen, shutdown_grace, ..Settings::default() };
        let mut bed = Bed::with(crate::bed::Ground::Memory, settings).await;
        let mut raw = bed.raw().await;
        raw.write(beginning).await;
        bed.caller().await.ok("/v1/queues.list", json!({})).await;
        let begin = tokio::time::Instant::now();
        tokio::time::pause();
        bed.stop().await;
        assert!(raw.is_ended().await);
        tokio::time::resume();
        assert!(begin.elapsed() < std::time::Duration::from_secs(20), "sooner than a head would be given up");
    }
}

#[tokio::test]
async fn the_store_of_a_server_that_stopped_is_whole() {
    bounded(async {
        let disk = SimDisk::new();
        let mut bed = Bed::on_disk(Arc::new(disk)).await;
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let calls: Vec<_> = (0..20)
            .map(|number| {
                let produce =
                    json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": number.to_string() }] });
                bed.calling("/v1/queue.produce", produce)
            })
            .collect();
        let mut answers = Vec::new();
        for call in calls {
            answers.push(call.await);
        }
        bed.stop().await;
        let mut taken = 0;
        for answer in answers {
            // A connection that nobody had looked at yet is cut, and its caller knows nothing of its request.
            taken += u64::from(answer.await.is_ok_and(|heard| heard.status == 200));
        }
        bed.restart().await;
        let kept = bed.caller().await.counts("q").await[0].0;
        assert!(kept >= taken, "{taken} were answered, {kept} are there");
    })
    .await;
}
