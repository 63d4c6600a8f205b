//! Shutdown of the server.

use redrive_core::Span;
use redrive_server::Settings;
use serde_json::json;
use tokio::net::TcpStream;

use crate::harness::{
    TestServer, local_settings, on_each_store, on_each_store_with_queue, on_gated_disk, on_simulated_disk,
    until_blocked,
};

#[test]
fn waiting_leases_end_with_code_453() {
    on_each_store_with_queue("q", async |mut server, _caller| {
        let mut waiting = vec![server.spawn_lease("q", "a", 1).await, server.spawn_lease("q", "b", 5).await];
        let claim = json!({ "queue_name": "q", "batch_size": 1, "request_timeout": "15m" });
        waiting.push(server.spawn_call("/v1/queue.claim", claim).await);
        server.until_waiting_leases("q", 3).await;
        server.stop().await;
        for lease in waiting {
            assert_eq!(lease.await.unwrap().rejection(), (453, "service is shutting down".to_owned()));
        }
    });
}

#[test]
fn a_running_produce_is_answered_and_new_connections_are_refused() {
    on_gated_disk(async |gate, mut server, _caller| {
        gate.shut();
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": "under way" }] });
        let produce = server.spawn_call("/v1/queue.produce", produce).await;
        until_blocked(&gate).await;
        let address = server.address();
        let stopping = tokio::spawn(async move {
            server.stop().await;
            server
        });
        while TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
        assert!(!produce.is_finished());
        gate.open();
        assert_eq!(produce.await.unwrap().status, 200);
        let mut server = stopping.await.unwrap();
        server.restart().await;
        assert_eq!(server.caller().await.counts("q").await, [(1, 0, 0)]);
    });
}

#[test]
fn idle_connections_do_not_delay_the_shutdown() {
    on_each_store(async |mut server| {
        let mut used = server.raw_connection().await;
        used.post("/v1/queues.list", "{}").await;
        assert_eq!(used.response().await.unwrap().status, 200);
        let mut silent = server.raw_connection().await;
        // Once a request on another connection is answered, the server has accepted these two.
        server.caller().await.ok("/v1/queues.list", json!({})).await;
        server.stop().await;
        assert!(used.is_ended().await && silent.is_ended().await);
    });
}

/// Tokio's clock is paused: it advances to the next timer as soon as all tasks wait.
#[tokio::test]
async fn an_incomplete_request_is_cut_off_at_the_end_of_the_shutdown_grace() {
    for beginning in [
        "POST /v1/queues.list HTTP/1.1\r\nhost",
        "POST /v1/queues.list HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{",
    ] {
        // Shorter than the timeout of a request body.
        let settings = Settings { shutdown_grace: Span::from_secs(5), ..local_settings() };
        let mut server = TestServer::with(crate::harness::StoreKind::Memory, settings).await;
        let mut raw = server.raw_connection().await;
        raw.write(beginning).await;
        server.caller().await.ok("/v1/queues.list", json!({})).await;
        let begin = tokio::time::Instant::now();
        tokio::time::pause();
        server.stop().await;
        assert!(raw.is_ended().await);
        tokio::time::resume();
        assert!(begin.elapsed() < std::time::Duration::from_secs(20), "sooner than the timeout of a request head");
    }
}

#[test]
fn acknowledged_produces_survive_a_shutdown() {
    on_simulated_disk(async |_disk, mut server, mut caller| {
        caller.create("q", json!({})).await;
        let calls: Vec<_> = (0..20)
            .map(|number| {
                let produce =
                    json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": number.to_string() }] });
                server.spawn_call("/v1/queue.produce", produce)
            })
            .collect();
        let mut answers = Vec::new();
        for call in calls {
            answers.push(call.await);
        }
        server.stop().await;
        let mut taken = 0;
        for answer in answers {
            // A connection that was not accepted yet is closed without an answer.
            taken += u64::from(answer.await.is_ok_and(|response| response.status == 200));
        }
        server.restart().await;
        let kept = server.caller().await.counts("q").await[0].0;
        assert!(kept >= taken, "{taken} produces were acknowledged, {kept} items are stored");
    });
}
