//! Receives that wait at a server.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{QueueName, Span};
use redrive_mailbox::{MailboxError, NewMessage, ReceiveSpec};
use redrive_model::GetStats;
use tokio::time::Instant;

use super::{mailboxes, open};
use crate::test_server::{Storage, TestServer};

const TEN_MINUTES: ReceiveSpec =
    ReceiveSpec { max_messages: 10, visibility: Span::from_secs(30), wait: Span::from_mins(10) };

/// Returns when this number of leases waits.
pub(super) async fn until_waiting(server: &TestServer, queue: &str, count: u64) {
    let queue = QueueName::new(queue).unwrap();
    let begun = async {
        while server.store().stats(GetStats { queue: queue.clone() }).await.unwrap().waiting != count {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), begun).await.expect("the number of waiting leases does not change");
}

/// The number of answered claims.
async fn claims(server: &TestServer) -> u64 {
    let page = server.client().metrics().await.unwrap();
    let lines = page.lines().filter(|line| line.starts_with("redrive_http_requests_total") && line.contains(".claim"));
    lines.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_receive_is_one_request() {
    let server = TestServer::new(Storage::Memory).await;
    let requests = open(&mailboxes(&server), "requests").await;
    let before = claims(&server).await;
    let receiving = tokio::spawn({
        let requests = Arc::clone(&requests);
        async move { requests.receive(TEN_MINUTES).await }
    });
    until_waiting(&server, "requests", 1).await;
    for _ in 0..9 {
        server.clock.advance(Span::from_mins(1));
        until_waiting(&server, "requests", 1).await;
        assert_eq!(claims(&server).await, before, "no request of it was answered");
    }
    requests.send(NewMessage::new("late")).await.unwrap();
    assert_eq!(receiving.await.unwrap().unwrap().len(), 1);
    assert_eq!(claims(&server).await, before + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_a_mailbox_ends_its_request_at_the_server() {
    let server = TestServer::new(Storage::Memory).await;
    let requests = open(&mailboxes(&server), "requests").await;
    let receiving = tokio::spawn({
        let requests = Arc::clone(&requests);
        async move { requests.receive(TEN_MINUTES).await }
    });
    until_waiting(&server, "requests", 1).await;
    requests.close();
    assert_eq!(receiving.await.unwrap(), Ok(Vec::new()));
    until_waiting(&server, "requests", 0).await;
    assert!(matches!(requests.send(NewMessage::new("late")).await, Err(MailboxError::Closed(_))));
}

/// The best of some tries counts, because the machine may be busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_shuts_down_ends_a_waiting_receive_within_200_ms() {
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let mut server = TestServer::new(Storage::Memory).await;
        let requests = open(&mailboxes(&server), "requests").await;
        let receiving = tokio::spawn(async move { requests.receive(TEN_MINUTES).await });
        until_waiting(&server, "requests", 1).await;
        let begin = Instant::now();
        let (failed, ()) = tokio::join!(receiving, server.stop());
        let failed = failed.unwrap();
        assert!(matches!(failed, Err(MailboxError::Connection { .. })), "{failed:?}");
        best = best.min(begin.elapsed());
    }
    assert!(best <= Duration::from_millis(200), "{best:?}");
}
