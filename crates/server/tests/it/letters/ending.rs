//! Acts on letters that are under way when the server is told to stop.

use redrive_core::Span;
use serde_json::{Value, json};

use super::{capture, failure};
use crate::audit::records;
use crate::bed::{Bed, Caller, DRAIN, each_retrying};

/// A caller, and a letter that somebody retries by hand.
async fn letter(bed: &Bed) -> (Caller, Value) {
    let mut caller = bed.caller().await;
    caller.create("dead", json!({ "expire_timeout": "10000h" })).await;
    let id = capture(&mut caller, failure("a")).await["id"].clone();
    (caller, id)
}

fn one(id: &Value) -> Value {
    json!({ "queue_name": "dead", "id": id })
}

/// The newest act on record, and its result.
async fn newest(bed: &Bed) -> (String, u16) {
    let record = records(bed).await.pop().unwrap();
    (record.action, record.result.code)
}

/// The server is told to stop, and has begun to.
async fn stopping(mut bed: Bed) -> tokio::task::JoinHandle<Bed> {
    let address = bed.address();
    let stopping = tokio::spawn(async move {
        bed.stop().await;
        bed
    });
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    stopping
}

/// All tasks of this thread have done what they can without a further signal.
async fn heard() {
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_retry_by_hand_may_finish_and_is_on_record_before_the_server_has_stopped() {
    each_retrying(async |bed, mut target| {
        let (caller, id) = letter(&bed).await;
        let asked = bed.calling("/v1/letters.retry", one(&id)).await;
        let tried = target.next().await;
        drop(caller);
        let stopping = stopping(bed).await;
        tried.done();
        assert_eq!(asked.await.unwrap().value()["success"], true);
        let bed = stopping.await.unwrap();
        assert_eq!(newest(&bed).await, ("letters.retry".into(), 200));
    })
    .await;
}

#[tokio::test]
async fn a_retry_whose_caller_has_gone_is_on_record_before_the_server_has_stopped() {
    each_retrying(async |bed, mut target| {
        let (caller, id) = letter(&bed).await;
        let asked = bed.calling("/v1/letters.retry", one(&id)).await;
        let tried = target.next().await;
        asked.abort();
        assert!(asked.await.is_err());
        drop(caller);
        let stopping = stopping(bed).await;
        tried.fail();
        let bed = stopping.await.unwrap();
        assert_eq!(newest(&bed).await, ("letters.retry".into(), 200));
    })
    .await;
}

#[tokio::test]
async fn a_retry_that_does_not_finish_is_stopped_counted_and_on_record() {
    each_retrying(async |bed, mut target| {
        let (caller, id) = letter(&bed).await;
        let asked = bed.calling("/v1/letters.retry", one(&id)).await;
        let _tried = target.next().await;
        drop(caller);
        let clock = bed.clock.clone();
        let stopping = stopping(bed).await;
        heard().await;
        clock.advance(DRAIN.saturating_sub(Span::from_micros(1)));
        heard().await;
        assert!(!asked.is_finished(), "it may still finish");
        clock.advance(Span::from_micros(1));
        let told = asked.await.unwrap().value();
        assert_eq!((&told["success"], &told["attempt"]["attempt"]["cause"]), (&Value::Null, &json!("aborted")));
        assert_eq!(told["letter"]["status"], "pending");
        let bed = stopping.await.unwrap();
        assert_eq!(newest(&bed).await, ("letters.retry".into(), 200));
    })
    .await;
}

#[tokio::test]
async fn a_bulk_retry_ends_what_it_began_and_is_on_record() {
    each_retrying(async |bed, mut target| {
        let (mut caller, _) = letter(&bed).await;
        let plan = json!({ "queue_name": "dead", "action": "retry", "filter": "status == 'pending'" });
        let planned = caller.ok("/v1/letters.plan", plan).await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let confirm = json!({ "queue_name": "dead", "token": planned["token"] });
        let asked = tokio::spawn(async move { caller.json("/v1/letters.confirm", confirm).await });
        let tried = target.next().await;
        let stopping = stopping(bed).await;
        tried.done();
        assert_eq!(asked.await.unwrap().value()["changed"], "1");
        let bed = stopping.await.unwrap();
        assert_eq!(newest(&bed).await, ("letters.confirm".into(), 200));
    })
    .await;
}

#[tokio::test]
async fn a_processor_that_is_stopped_lets_its_retries_finish_for_as_long_as_it_is_told_to() {
    each_retrying(async |bed, mut target| {
        let (mut caller, _) = letter(&bed).await;
        caller.ok("/v1/letters.process", json!({ "queue_name": "dead", "action": "start" })).await;
        bed.advance(Span::from_mins(1));
        let _tried = target.next().await;
        let asked = bed.calling("/v1/letters.process", json!({ "queue_name": "dead", "action": "stop" })).await;
        while caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await["is_processor_running"] == true {}
        heard().await;
        bed.advance(DRAIN.saturating_sub(Span::from_micros(1)));
        heard().await;
        assert!(!asked.is_finished(), "it may still finish");
        bed.advance(Span::from_micros(1));
        assert_eq!(asked.await.unwrap().value()["report"], json!({ "aborted": "1" }));
    })
    .await;
}
