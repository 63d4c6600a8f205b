//! Letters that are retried by a real target which misbehaves, or is not there at all.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use redrive_core::{Category, LetterId, RetryPolicy, Span, Status};
use redrive_model::{Cause, NewLetter};
use redrive_run::{HttpSettings, HttpTarget, RunnerSettings, Running};
use redrive_store::Clock;
use tokio::io::AsyncWriteExt;

use super::server::{Server, answer, read};
use crate::rig::{World, policy, settings, unbroken, until};
use crate::work::closed_port;

/// What the target does at the first attempt, what is found of it, and when the letter is due again.
const MISDEEDS: [(&str, Category, &str, Span); 5] = [
    ("hangs", Category::Network, "", Span::from_mins(10)),
    ("dies", Category::Network, "name:connection", Span::from_mins(10)),
    ("429", Category::Transient, "http:429", Span::from_hours(2)),
    ("500", Category::Transient, "http:500", Span::from_mins(10)),
    ("garbage", Category::Network, "", Span::from_mins(10)),
];

/// Misbehaves at the first request with a body, and is good from then on.
async fn improving() -> (Server, Arc<Mutex<BTreeMap<String, u32>>>) {
    let requests = Arc::new(Mutex::new(BTreeMap::<String, u32>::new()));
    let counted = Arc::clone(&requests);
    let server = Server::talking(move |mut stream, connection, told| {
        let requests = Arc::clone(&counted);
        async move {
            while let Some(seen) = read(&mut stream, connection).await {
                let body = String::from_utf8(seen.body.clone()).unwrap();
                let times = {
                    let mut requests = requests.lock().unwrap();
                    let times = requests.entry(body.clone()).or_default();
                    *times += 1;
                    *times
                };
                told.send(seen).await.unwrap();
                let words = match body.as_str() {
                    _ if times > 1 => answer(200, &[], ""),
                    "hangs" => std::future::pending().await,
                    "429" => answer(429, &["retry-after: 7200"], "slow down"),
                    "500" => answer(500, &[], "out of order"),
                    "dies" => b"HTTP/1.1 2".to_vec(),
                    _ => b"\x16\x03\x01 this is no HTTP\r\n\r\n".to_vec(),
                };
                // One that hung up does not hear it.
                let _is_heard = stream.write_all(&words).await;
                if times == 1 && matches!(body.as_str(), "dies" | "garbage") {
                    return;
                }
            }
        }
    })
    .await;
    (server, requests)
}

fn linear(world: &World, body: &str) -> NewLetter {
    NewLetter { policy: RetryPolicy::Linear, ..world.letter(body, "target") }
}

async fn statuses(world: &World, letters: &[LetterId]) -> Vec<Status> {
    let mut statuses = Vec::new();
    for letter in letters {
        statuses.push(world.status(*letter).await);
    }
    statuses
}

/// Each misdeed costs one attempt, is told by its kind, and the next attempt is due by the letter's policy, or later
/// where the target asks for it.
#[tokio::test]
async fn whatever_a_target_does_costs_one_attempt_and_the_next_one_is_not_early() {
    let world = World::new().await;
    let (mut server, requests) = improving().await;
    let target = HttpTarget::new(&HttpSettings::new(&server.url)).unwrap();
    let letters = world.capture(MISDEEDS.map(|(body, ..)| linear(&world, body))).await;
    let settings = RunnerSettings { timeout: Span::from_secs(30), ..unbroken(8) };
    let running = world.runner(world.letters(), target, policy(), settings).start().await.unwrap();
    world.stroll(Span::from_mins(5), Span::from_mins(1)).await;
    let begun = world.clock.now();
    for _ in MISDEEDS {
        server.seen().await;
    }
    until("all but one to have failed", || async { running.health().await.running == 1 }).await;
    world.stroll(Span::from_secs(31), Span::from_secs(10)).await;
    until("all to have failed", || async { statuses(&world, &letters).await == [Status::Pending; 5] }).await;

    for ((body, category, rule, delay), letter) in MISDEEDS.into_iter().zip(&letters) {
        let record = world.record(*letter).await;
        let info = record.info.letter.as_ref().unwrap();
        let attempt = record.attempts.last().unwrap();
        assert_eq!((info.retries, info.category), (1, category), "{body}: {attempt:?}");
        assert!(attempt.rule.as_deref().unwrap().starts_with(rule), "{body}: {attempt:?}");
        assert_eq!(attempt.cause == Some(Cause::TimedOut), body == "hangs", "{attempt:?}");
        let due = info.next_retry_at.unwrap();
        assert!(due >= begun.saturating_add(delay), "{body} is due at {due}");
    }

    world.stroll(Span::from_hours(1), Span::from_mins(10)).await;
    let late = letters[2];
    until("all but one to be done", || async {
        let statuses = statuses(&world, &letters).await;
        statuses.iter().filter(|status| **status == Status::Completed).count() == 4
    })
    .await;
    assert_eq!(world.status(late).await, Status::Pending, "it was asked to wait for two hours");
    world.stroll(Span::from_hours(1), Span::from_mins(10)).await;
    world.until_status(late, Status::Completed).await;
    assert!(requests.lock().unwrap().values().all(|times| *times == 2), "{requests:?}");
    running.stop(Span::ZERO).await;
    world.conserved().await;
}

const LETTERS: usize = 60;

/// Retries that were charged, over all letters.
async fn spent(world: &World) -> u32 {
    world.dead_letters().await.iter().map(|letter| letter.info.letter.as_ref().unwrap().retries).sum()
}

/// Moves the clock and waits until what comes of it is done.
async fn pass(world: &World, running: &Running, by: Span) {
    world.advance(by);
    world.calm_for(3, 8).await;
    until("nothing to run", || async { running.health().await.running == 0 }).await;
    world.calm_for(3, 8).await;
}

/// Nobody listens for an hour: every ten seconds one attempt finds that out, and none is spent in between. Then somebody
/// listens at the same address, and everything is delivered once.
#[tokio::test]
async fn an_hour_without_a_target_spends_only_the_probes_and_then_all_is_delivered() {
    let world = World::new().await;
    let (socket, address) = closed_port();
    let target = HttpTarget::new(&HttpSettings::new(format!("http://{address}"))).unwrap();
    let many =
        (0..LETTERS).map(|number| NewLetter { max_retries: 100, ..world.letter(&format!("work {number}"), "target") });
    let letters = world.capture(many).await;
    let running = world.runner(world.letters(), target, policy(), settings(4)).start().await.unwrap();
    until("a held destination", || async { running.health().await.held.len() == 1 }).await;
    pass(&world, &running, Span::ZERO).await;
    let first = spent(&world).await;
    assert!(first <= 4 + 5, "{first} attempts before it was held back");

    for probe in 1..=360 {
        pass(&world, &running, Span::from_secs(5)).await;
        pass(&world, &running, Span::from_secs(5)).await;
        if probe % 60 == 0 {
            let now = spent(&world).await;
            assert!(now <= first + probe, "{now} attempts were spent after {probe} probes, {first} before the first");
        }
    }
    let probes = spent(&world).await - first;
    assert!(probes >= 300, "it was asked only {probes} times in an hour");
    assert_eq!(statuses(&world, &letters).await, [Status::Pending; LETTERS]);

    let listener = socket.listen(64).unwrap();
    let mut server = BTreeMap::<Vec<u8>, u32>::new();
    let (told, mut delivered) = tokio::sync::mpsc::channel(LETTERS);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let told = told.clone();
            tokio::spawn(async move {
                while let Some(seen) = read(&mut stream, 0).await {
                    told.send(seen.body).await.unwrap();
                    stream.write_all(&answer(200, &[], "")).await.unwrap();
                }
            });
        }
    });
    pass(&world, &running, Span::from_secs(10)).await;
    until("all to be delivered", || async { statuses(&world, &letters).await == [Status::Completed; LETTERS] }).await;
    while let Ok(body) = delivered.try_recv() {
        *server.entry(body).or_default() += 1;
    }
    assert_eq!(server.len(), LETTERS);
    assert!(server.values().all(|times| *times == 1), "{server:?}");
    running.stop(Span::ZERO).await;
    world.conserved().await;
}
