//! Retries of letters that are running when the server shuts down.

use redrive_core::Span;
use serde_json::{Value, json};

use super::{capture, captured, failure};
use crate::audit::records;
use crate::harness::{DRAIN, StoreKind, TestServer, on_each_store_with_target};

fn with_id(id: &Value) -> Value {
    json!({ "queue_name": "dead", "id": id })
}

/// The action and result code of the last audit record.
async fn newest_record(server: &TestServer) -> (String, u16) {
    let record = records(server).await.pop().unwrap();
    (record.action, record.result.code)
}

/// Starts the shutdown of the server. Returns once it accepts no more connections.
async fn begin_shutdown(mut server: TestServer) -> tokio::task::JoinHandle<TestServer> {
    let address = server.address();
    let stopping = tokio::spawn(async move {
        server.stop().await;
        server
    });
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    stopping
}

/// Yields until all tasks of this thread wait for a further event.
async fn until_idle() {
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
}

#[test]
fn shutdown_waits_for_a_manual_retry_and_its_audit_record() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let id = captured(&mut caller, failure("a")).await;
        let call = server.spawn_call("/v1/letters.retry", with_id(&id)).await;
        let attempt = target.next().await;
        drop(caller);
        let stopping = begin_shutdown(server).await;
        attempt.done();
        assert_eq!(call.await.unwrap().value()["success"], true);
        let server = stopping.await.unwrap();
        assert_eq!(newest_record(&server).await, ("letters.retry".into(), 200));
    });
}

#[test]
fn shutdown_waits_for_the_audit_record_of_a_retry_whose_caller_disconnected() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let id = captured(&mut caller, failure("a")).await;
        let call = server.spawn_call("/v1/letters.retry", with_id(&id)).await;
        let attempt = target.next().await;
        call.abort();
        assert!(call.await.is_err());
        drop(caller);
        let stopping = begin_shutdown(server).await;
        attempt.fail();
        let server = stopping.await.unwrap();
        assert_eq!(newest_record(&server).await, ("letters.retry".into(), 200));
    });
}

#[test]
fn a_retry_that_exceeds_the_drain_time_is_aborted_counted_and_recorded() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let id = captured(&mut caller, failure("a")).await;
        let call = server.spawn_call("/v1/letters.retry", with_id(&id)).await;
        let _attempt = target.next().await;
        drop(caller);
        let clock = server.clock.clone();
        let stopping = begin_shutdown(server).await;
        until_idle().await;
        clock.advance(DRAIN.saturating_sub(Span::from_micros(1)));
        until_idle().await;
        assert!(!call.is_finished(), "the attempt may still finish");
        clock.advance(Span::from_micros(1));
        let answer = call.await.unwrap().value();
        assert_eq!((&answer["success"], &answer["attempt"]["attempt"]["cause"]), (&json!(false), &json!("aborted")));
        assert_eq!(answer["letter"]["status"], "pending");
        let server = stopping.await.unwrap();
        assert_eq!(newest_record(&server).await, ("letters.retry".into(), 200));
    });
}

#[test]
fn shutdown_waits_for_the_attempts_of_a_run_and_the_next_start_continues_it() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        for source in ["a", "b"] {
            capture(&mut caller, failure(source)).await;
        }
        let plan = json!({ "queue_name": "dead", "action": "retry", "filter": "status == 'pending'" });
        let planned = caller.ok("/v1/letters.plan", plan).await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let confirm = json!({ "queue_name": "dead", "token": planned["token"], "rate": 1 });
        let started = caller.ok("/v1/letters.confirm", confirm).await;
        assert_eq!(started["state"], "running", "{started}");
        let attempt = target.next().await;
        drop(caller);
        let stopping = begin_shutdown(server).await;
        attempt.done();
        let mut server = stopping.await.unwrap();
        assert_eq!(newest_record(&server).await, ("letters.confirm".into(), 200), "the run has not ended");
        if server.store_kind() == StoreKind::Memory {
            return;
        }
        server.restart().await;
        let mut caller = server.caller().await;
        target.next().await.done();
        let done = caller.run_of(&planned, 60).await;
        assert_eq!(
            (&done["state"], &done["changed"], &done["failed"]),
            (&json!("finished"), &json!("2"), &Value::Null)
        );
        assert!(target.try_next().is_none(), "no letter is retried twice");
        // Both servers started in the same second, so that their chains have no order.
        let chains = redrive_server::read_audit(server.store()).await.unwrap();
        let all = chains.iter().flat_map(|chain| &chain.records);
        assert_eq!(all.filter(|record| record.action == "letters.run").count(), 1);
    });
}

#[test]
fn a_stopped_processor_waits_for_its_retries_up_to_the_drain_time() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        capture(&mut caller, failure("a")).await;
        caller.ok("/v1/letters.process", json!({ "queue_name": "dead", "action": "start" })).await;
        server.advance(Span::from_mins(1));
        let _attempt = target.next().await;
        let call = server.spawn_call("/v1/letters.process", json!({ "queue_name": "dead", "action": "stop" })).await;
        while caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await["is_processor_running"] == true {}
        until_idle().await;
        server.advance(DRAIN.saturating_sub(Span::from_micros(1)));
        until_idle().await;
        assert!(!call.is_finished(), "the attempt may still finish");
        server.advance(Span::from_micros(1));
        assert_eq!(call.await.unwrap().value()["report"], json!({ "aborted": "1" }));
    });
}
