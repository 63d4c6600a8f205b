//! Letters that are retried to a real target that misbehaves or cannot be reached.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use redrive_core::{Category, LetterId, RetryPolicy, Span, Status};
use redrive_model::{Cause, NewLetter};
use redrive_run::{HttpSettings, HttpTarget, RunnerSettings, Running};
use redrive_store::Clock;
use tokio::io::AsyncWriteExt;

use super::server::{Server, answer, read};
use crate::fixture::{Fixture, policy, settings, wait_until, without_breaker};
use crate::runner::{next_probe_at, until_open};
use crate::work::closed_port;

/// The misbehaviour at the first attempt, its category and rule, and the delay until the letter is due again.
const MISBEHAVIOURS: [(&str, Category, &str, Span); 5] = [
    ("hangs", Category::Network, "", Span::from_mins(10)),
    ("dies", Category::Network, "name:connection", Span::from_mins(10)),
    ("429", Category::Transient, "http:429", Span::from_hours(2)),
    ("500", Category::Transient, "http:500", Span::from_mins(10)),
    ("garbage", Category::Network, "", Span::from_mins(10)),
];

/// A server that misbehaves at the first request with each body and succeeds afterwards; with the number of requests by
/// body.
async fn misbehaving_once() -> (Server, Arc<Mutex<BTreeMap<String, u32>>>) {
    let requests = Arc::new(Mutex::new(BTreeMap::<String, u32>::new()));
    let counted = Arc::clone(&requests);
    let server = Server::serving(move |mut stream, connection, requests_tx| {
        let requests = Arc::clone(&counted);
        async move {
            while let Some(received) = read(&mut stream, connection).await {
                let body = String::from_utf8(received.body.clone()).unwrap();
                let times = {
                    let mut requests = requests.lock().unwrap();
                    let times = requests.entry(body.clone()).or_default();
                    *times += 1;
                    *times
                };
                requests_tx.send(received).await.unwrap();
                let bytes = match body.as_str() {
                    _ if times > 1 => answer(200, &[], ""),
                    "hangs" => std::future::pending().await,
                    "429" => answer(429, &["retry-after: 7200"], "slow down"),
                    "500" => answer(500, &[], "out of order"),
                    "dies" => b"HTTP/1.1 2".to_vec(),
                    _ => b"\x16\x03\x01 this is no HTTP\r\n\r\n".to_vec(),
                };
                // The target may have closed the connection.
                let _is_sent = stream.write_all(&bytes).await;
                if times == 1 && matches!(body.as_str(), "dies" | "garbage") {
                    return;
                }
            }
        }
    })
    .await;
    (server, requests)
}

fn linear(fixture: &Fixture, body: &str) -> NewLetter {
    NewLetter { policy: RetryPolicy::Linear, ..fixture.letter(body, "target") }
}

async fn statuses(fixture: &Fixture, letters: &[LetterId]) -> Vec<Status> {
    let mut statuses = Vec::new();
    for letter in letters {
        statuses.push(fixture.status(*letter).await);
    }
    statuses
}

/// The next attempt is due by the letter's policy, or later if the target asks for it.
#[tokio::test]
async fn every_misbehaviour_of_a_target_costs_one_attempt_and_the_next_one_is_not_early() {
    let fixture = Fixture::new().await;
    let (mut server, requests) = misbehaving_once().await;
    let target = HttpTarget::new(&HttpSettings::new(&server.url)).unwrap();
    let letters = fixture.capture(MISBEHAVIOURS.map(|(body, ..)| linear(&fixture, body))).await;
    let settings = RunnerSettings { timeout: Span::from_secs(30), ..without_breaker(8) };
    let running = fixture.runner(fixture.letters(), target, policy(), settings).start().await.unwrap();
    fixture.advance_in_steps(Span::from_mins(5), Span::from_mins(1)).await;
    let started_at = fixture.clock.now();
    for _ in MISBEHAVIOURS {
        server.next_request().await;
    }
    wait_until("the failure of all but one", || async { running.health().await.running == 1 }).await;
    fixture.advance_in_steps(Span::from_secs(31), Span::from_secs(10)).await;
    wait_until("the failure of all", || async { statuses(&fixture, &letters).await == [Status::Pending; 5] }).await;

    for ((body, category, rule, delay), letter) in MISBEHAVIOURS.into_iter().zip(&letters) {
        let record = fixture.record(*letter).await;
        let info = record.info.letter.as_ref().unwrap();
        let attempt = record.attempts.last().unwrap();
        assert_eq!((info.retries, info.category), (1, category), "{body}: {attempt:?}");
        assert!(attempt.rule.as_deref().unwrap().starts_with(rule), "{body}: {attempt:?}");
        assert_eq!(attempt.cause == Some(Cause::TimedOut), body == "hangs", "{attempt:?}");
        let due = info.next_retry_at.unwrap();
        assert!(due >= started_at.saturating_add(delay), "{body} is due at {due}");
    }

    fixture.advance_in_steps(Span::from_hours(1), Span::from_mins(10)).await;
    let late = letters[2];
    wait_until("the completion of all but one", || async {
        let statuses = statuses(&fixture, &letters).await;
        statuses.iter().filter(|status| **status == Status::Completed).count() == 4
    })
    .await;
    assert_eq!(fixture.status(late).await, Status::Pending, "the target asked for a delay of two hours");
    fixture.advance_in_steps(Span::from_hours(1), Span::from_mins(10)).await;
    fixture.until_status(late, Status::Completed).await;
    assert!(requests.lock().unwrap().values().all(|times| *times == 2), "{requests:?}");
    running.stop(Span::ZERO).await;
    fixture.assert_conserved().await;
}

const LETTERS: usize = 60;

/// The charged retries of all letters.
async fn retries(fixture: &Fixture) -> u32 {
    fixture.dead_letters().await.iter().map(|letter| letter.info.letter.as_ref().unwrap().retries).sum()
}

/// The attempts at all letters, charged or not.
async fn attempts(fixture: &Fixture) -> u32 {
    fixture.dead_letters().await.iter().map(|letter| letter.info.deliveries).sum()
}

/// Advances the clock and waits until all attempts that this started have ended.
async fn advance_and_wait(fixture: &Fixture, running: &Running, by: Span) {
    fixture.advance(by);
    fixture.until_idle_for(3, 8).await;
    wait_until("no running handler", || async { running.health().await.running == 0 }).await;
    fixture.until_idle_for(3, 8).await;
}

/// For an hour there is no listener: one probe every ten seconds or less fails and costs no retry, and no other attempt is
/// made.
/// Then a server listens at the same address, and every letter is delivered once.
#[tokio::test]
async fn an_hour_without_a_target_costs_no_retries_and_then_every_letter_is_delivered_once() {
    let fixture = Fixture::new().await;
    let (socket, address) = closed_port();
    let target = HttpTarget::new(&HttpSettings::new(format!("http://{address}"))).unwrap();
    let many = (0..LETTERS)
        .map(|number| NewLetter { max_retries: 100, ..fixture.letter(&format!("work {number}"), "target") });
    let letters = fixture.capture(many).await;
    let running = fixture.runner(fixture.letters(), target, policy(), settings(4)).start().await.unwrap();
    until_open(&running).await;
    advance_and_wait(&fixture, &running, Span::ZERO).await;
    let (charged, first) = (retries(&fixture).await, attempts(&fixture).await);
    assert!(first <= 4 + 5 + 1, "{first} attempts before the destination was paused, and of the first probe");

    let (began, mut probes) = (fixture.clock.now(), 0);
    while fixture.clock.now().since(began) < Span::from_hours(1) {
        let at = next_probe_at(&fixture, &running, probes + 1).await;
        advance_and_wait(&fixture, &running, at.since(fixture.clock.now())).await;
        probes += 1;
        if probes % 60 == 0 {
            assert_eq!(attempts(&fixture).await, first + probes, "one attempt at the time of each probe");
        }
    }
    assert_eq!(attempts(&fixture).await, first + probes);
    assert_eq!(retries(&fixture).await, charged, "{probes} probes failed");
    assert_eq!(statuses(&fixture, &letters).await, [Status::Pending; LETTERS]);

    let listener = socket.listen(64).unwrap();
    let mut deliveries = BTreeMap::<Vec<u8>, u32>::new();
    let (bodies_tx, mut bodies_rx) = tokio::sync::mpsc::channel(LETTERS);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let bodies_tx = bodies_tx.clone();
            tokio::spawn(async move {
                while let Some(received) = read(&mut stream, 0).await {
                    bodies_tx.send(received.body).await.unwrap();
                    stream.write_all(&answer(200, &[], "")).await.unwrap();
                }
            });
        }
    });
    advance_and_wait(&fixture, &running, Span::from_secs(10)).await;
    wait_until("the delivery of all letters", || async {
        statuses(&fixture, &letters).await == [Status::Completed; LETTERS]
    })
    .await;
    while let Ok(body) = bodies_rx.try_recv() {
        *deliveries.entry(body).or_default() += 1;
    }
    assert_eq!(deliveries.len(), LETTERS);
    assert!(deliveries.values().all(|times| *times == 1), "{deliveries:?}");
    running.stop(Span::ZERO).await;
    fixture.assert_conserved().await;
}
