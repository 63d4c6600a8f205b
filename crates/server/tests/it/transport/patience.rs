//! Senders that stop in the middle. The machine's time is moved by hand: whoever waits for it is woken at once.

use std::time::Duration;

use serde_json::json;
use tokio::time;

use crate::bed::{Bed, Ground};

#[tokio::test]
async fn a_body_that_stops_in_the_middle_is_not_waited_for_for_ever() {
    let bed = Bed::new(Ground::Memory).await;
    bed.caller().await.create("q", json!({})).await;
    let mut raw = bed.raw().await;
    raw.write("POST /v1/queue.stats HTTP/1.1\r\nhost: localhost\r\ncontent-length: 18\r\n\r\n{\"queue").await;
    time::pause();
    let heard = raw.hear().await.unwrap();
    time::resume();
    assert_eq!(heard.refusal(), (455, "the request body did not come in time".to_owned()));
    assert!(raw.is_ended().await, "what would come next could not be told from the rest of the body");
    assert_eq!(bed.caller().await.counts("q").await, [(0, 0, 0)]);
}

#[tokio::test]
async fn a_body_that_is_too_large_and_stops_is_not_waited_for_for_ever() {
    let bed = Bed::new(Ground::Memory).await;
    let mut raw = bed.raw().await;
    raw.write("POST /v1/queue.stats HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n{\"queue").await;
    time::pause();
    let heard = raw.hear().await.unwrap();
    assert_eq!(heard.refusal(), (400, "request body exceeds 4.0KiB limit".to_owned()));
}

#[tokio::test]
async fn a_connection_that_never_asks_for_anything_gives_its_place_back() {
    for beginning in ["", "POST /v1/queue.stats HTTP/1.1\r\nhost:", "PRI * HT", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
        let bed = Bed::new(Ground::Memory).await;
        let mut raw = bed.raw().await;
        raw.write(beginning).await;
        // A whole request on another connection: by then the server has seen this one.
        bed.caller().await.ok("/v1/queues.list", json!({})).await;
        time::pause();
        while raw.more_until_end().await {}
        time::resume();
    }
}

#[tokio::test]
async fn a_connection_may_be_idle_for_as_long_as_clients_keep_one() {
    let bed = Bed::new(Ground::Memory).await;
    let mut raw = bed.raw().await;
    for _ in 0..3 {
        raw.post("/v1/queues.list", "{}").await;
        assert_eq!(raw.hear().await.unwrap().status, 200);
        time::pause();
        time::advance(Duration::from_secs(100)).await;
        time::resume();
    }
}
