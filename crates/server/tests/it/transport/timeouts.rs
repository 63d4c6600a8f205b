//! Timeouts of senders that stop in the middle. Tokio's clock is paused: it advances to the next timer as soon as all tasks
//! wait.

use std::time::Duration;

use serde_json::json;
use tokio::time;

use crate::harness::{StoreKind, TestServer};

#[tokio::test]
async fn an_incomplete_body_times_out() {
    let server = TestServer::new(StoreKind::Memory).await;
    server.caller().await.create("q", json!({})).await;
    let mut raw = server.raw_connection().await;
    raw.write("POST /v1/queue.stats HTTP/1.1\r\nhost: localhost\r\ncontent-length: 18\r\n\r\n{\"queue").await;
    time::pause();
    let response = raw.response().await.unwrap();
    time::resume();
    assert_eq!(response.rejection(), (455, "the request body did not come in time".to_owned()));
    assert!(raw.is_ended().await, "later bytes could be the rest of the body, so the connection is closed");
    assert_eq!(server.caller().await.counts("q").await, [(0, 0, 0)]);
}

#[tokio::test]
async fn an_incomplete_body_that_is_too_large_times_out() {
    let server = TestServer::new(StoreKind::Memory).await;
    let mut raw = server.raw_connection().await;
    raw.write("POST /v1/queue.stats HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n{\"queue").await;
    time::pause();
    let response = raw.response().await.unwrap();
    assert_eq!(response.rejection(), (400, "request body exceeds 4.0KiB limit".to_owned()));
}

#[tokio::test]
async fn a_connection_without_a_complete_request_times_out() {
    for beginning in ["", "POST /v1/queue.stats HTTP/1.1\r\nhost:", "PRI * HT", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
        let server = TestServer::new(StoreKind::Memory).await;
        let mut raw = server.raw_connection().await;
        raw.write(beginning).await;
        // Once a request on another connection is answered, the server has accepted this one.
        server.caller().await.ok("/v1/queues.list", json!({})).await;
        time::pause();
        while raw.more_until_end().await {}
        time::resume();
    }
}

#[tokio::test]
async fn a_connection_may_be_idle_for_100_seconds() {
    let server = TestServer::new(StoreKind::Memory).await;
    let mut raw = server.raw_connection().await;
    for _ in 0..3 {
        raw.post("/v1/queues.list", "{}").await;
        assert_eq!(raw.response().await.unwrap().status, 200);
        time::pause();
        time::advance(Duration::from_secs(100)).await;
        time::resume();
    }
}
