//! Runs over a target that is down, or that always fails.

use std::collections::BTreeMap;

use http::HeaderValue;
use redrive_core::Span;
use serde_json::{Value, json};

use super::{failure, with_letters};
use crate::harness::{StoreKind, TestServer, run};

const PLAN: &str = "/v1/letters.plan";
const CONFIRM: &str = "/v1/letters.confirm";

fn retry_all() -> Value {
    json!({ "queue_name": "dead", "action": "retry", "all": "dead" })
}

/// Each part of a run has a runner of its own. Without what an earlier one has found out, an outage would spend attempts in
/// each of them.
#[test]
fn an_outage_spends_the_attempts_of_few_letters_and_the_run_goes_on_after_it() {
    const LETTERS: usize = 600;
    const THRESHOLD: u32 = 3;
    run(async {
        let (server, mut target) = TestServer::retrying_with_breaker(StoreKind::Memory, THRESHOLD).await;
        let mut caller = server.caller().await;
        caller.create("dead", json!({})).await;
        caller.headers.insert("x-redrive-reason", HeaderValue::from_static("a test"));
        let letters: Vec<Value> = (0..LETTERS).map(|number| failure(&number.to_string())).collect();
        caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": letters })).await;
        let planned = caller.ok(PLAN, retry_all()).await;
        caller.ok(CONFIRM, json!({ "queue_name": "dead", "token": planned["token"] })).await;
        // The outage lasts for ten probes.
        let (mut is_down, mut calls, mut tried) = (true, 0, BTreeMap::new());
        let done = loop {
            while let Some(attempt) = target.try_next() {
                calls += 1;
                *tried.entry(attempt.call.id.to_string()).or_insert(0) += 1;
                if is_down { attempt.fail() } else { attempt.done() }
            }
            let run = caller.run_of(&planned, 0).await;
            match run["state"].as_str().unwrap() {
                "waiting" => server.advance(Span::from_secs(1)),
                "running" => {}
                _ => break run,
            }
            if is_down && calls >= 20 {
                is_down = false;
            }
        };
        assert_eq!((&done["state"], &done["changed"]), (&json!("finished"), &json!(LETTERS.to_string())));
        let failed: usize = done["failed"].as_str().map_or(0, |failed| failed.parse().unwrap());
        assert!((3..=4).contains(&failed), "{failed} letters failed: at most those of the runner's four slots");
        let listed = caller.ok("/v1/letters.list", json!({ "queue_name": "dead", "filter": "retry_count > 0" })).await;
        let charged = listed["letters"].as_array().map_or(0, Vec::len);
        assert_eq!(charged, failed, "probes spend no attempt");
        let completed = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!(completed["status_breakdown"]["completed"], json!(LETTERS - failed), "{completed}");
    });
}

/// Letters that fail for good look like an outage of their destination while nothing else is sent to it.
#[test]
fn letters_that_always_fail_do_not_wait_for_the_end_of_an_outage() {
    run(async {
        let (server, mut target) = TestServer::retrying_with_breaker(StoreKind::Memory, 2).await;
        let mut caller = server.caller().await;
        caller.create("dead", json!({})).await;
        let sources: Vec<String> = (0..8).map(|number| number.to_string()).collect();
        with_letters(&mut caller, &sources.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let planned = caller.ok(PLAN, retry_all()).await;
        let from = server.clock_now();
        caller.ok(CONFIRM, json!({ "queue_name": "dead", "token": planned["token"] })).await;
        let done = loop {
            while let Some(attempt) = target.try_next() {
                attempt.fail();
            }
            let run = caller.run_of(&planned, 0).await;
            match run["state"].as_str().unwrap() {
                "waiting" => server.advance(Span::from_secs(1)),
                "running" => {}
                _ => break run,
            }
        };
        assert_eq!((&done["state"], &done["changed"], &done["failed"]), (&json!("finished"), &json!("8"), &json!("8")));
        let took = server.clock_now().since(from);
        assert!(took < Span::from_mins(10), "{took}");
    });
}
