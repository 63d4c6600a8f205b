//! Limits and timeouts of a target under a runner.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{Backoff, BreakerConfig, OnOutage, Policy, QueueName, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Cause, CreateQueue, FindLetters, GetLetter, NewItem, Produce, QueueSettings};
use redrive_routes::StartedTarget;
use redrive_run::{Call, Handled, Handler, Runner, RunnerSettings, Running, StoreQueue, Work};
use redrive_store::{ManualClock, Store};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::fixture::{handler, start, with_timeout, work};
use crate::server::{Received, Server, read};

/// A server whose requests the test answers. Each connection is one request.
async fn held_server() -> (String, mpsc::Receiver<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (tx, rx) = mpsc::channel(16);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tx.send(stream).await.unwrap();
        }
    });
    (url, rx)
}

/// A target with these settings at a server whose requests the test answers.
pub(crate) async fn held_target(settings: &str) -> (StartedTarget, mpsc::Receiver<TcpStream>) {
    let (url, requests) = held_server().await;
    (start(&format!("http = '{url}'\n{settings}")).await, requests)
}

/// A target with these settings, and its server, which answers with this status.
pub(crate) async fn answering_target(status: u16, settings: &str) -> (StartedTarget, Server) {
    let server = Server::answering(status).await;
    (start(&format!("http = '{}'\n{settings}", server.url)).await, server)
}

/// Answers the request of a connection, and closes it.
pub(crate) async fn done(stream: TcpStream) {
    answer_with(stream, "200 OK").await;
}

/// Answers with this status, and header lines after it. Returns the request.
pub(crate) async fn answer_with(mut stream: TcpStream, status: &str) -> Received {
    let received = read(&mut stream).await.unwrap();
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    received
}

fn name(text: &str) -> QueueName {
    QueueName::new(text).unwrap()
}

/// A store with a clock, the queues `orders` and `dead`, and items in `orders`.
pub(crate) struct Orders {
    pub(crate) clock: ManualClock,
    pub(crate) store: Arc<dyn Store>,
}

impl Orders {
    pub(crate) async fn new(items: usize) -> Self {
        let clock = ManualClock::new(Time::from_secs(1_800_000_000));
        let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
        let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
        store.create_queue(CreateQueue { settings: QueueSettings::new(name("dead")) }).await.unwrap();
        let settings = QueueSettings { dead_queue: Some(name("dead")), ..QueueSettings::new(name("orders")) };
        store.create_queue(CreateQueue { settings }).await.unwrap();
        let items = (0..items).map(|item| NewItem::of_payload(item.to_string())).collect();
        store.produce(Produce::new(name("orders"), items)).await.unwrap();
        Self { clock, store }
    }

    pub(crate) async fn produce(&self, item: u32) {
        let items = vec![NewItem::of_payload(item.to_string())];
        self.store.produce(Produce::new(name("orders"), items)).await.unwrap();
    }

    /// A runner over `orders` with one attempt of up to five minutes for each item.
    pub(crate) async fn run(&self, handler: Arc<dyn Handler>) -> Running {
        self.run_with(handler, 1, RunnerSettings { breaker: None, ..RunnerSettings::default() }).await
    }

    /// A runner over `orders` for which an outage makes no letters.
    pub(crate) async fn run_pausing(&self, handler: Arc<dyn Handler>, attempts: u32, threshold: u32) -> Running {
        let breaker = Some(BreakerConfig::new(threshold, Span::from_secs(10), 1).unwrap());
        let settings = RunnerSettings { breaker, on_outage: OnOutage::Pause, ..RunnerSettings::default() };
        self.run_with(handler, attempts, settings).await
    }

    async fn run_with(&self, handler: Arc<dyn Handler>, attempts: u32, settings: RunnerSettings) -> Running {
        let policy = Policy::builder().max_attempts(attempts).backoff(Backoff::fixed(Span::ZERO)).build().unwrap();
        let settings = RunnerSettings { concurrency: 8, ..settings };
        let source = StoreQueue::new(Arc::clone(&self.store), name("orders"), Span::from_hours(24));
        let runner = Runner::sharing(source, handler, policy, settings).unwrap();
        runner.with_clock(Arc::new(self.clock.clone())).start().await.unwrap()
    }

    /// Moves the clock, and waits until the runner has seen it.
    pub(crate) async fn advance(&self, running: &Running, by: Span) {
        self.clock.advance(by);
        // The reply to the second request comes from a turn of the loop that began after the move.
        for _ in 0..2 {
            running.health().await;
        }
    }
}

/// Waits until the runner has as many attempts.
pub(crate) async fn until_running(running: &Running, attempts: usize) {
    with_timeout(async {
        while running.health().await.running < attempts {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

pub(crate) fn spawn(target: &StartedTarget, work: Work) -> JoinHandle<Handled> {
    let handler = handler(target);
    tokio::spawn(async move { handler.handle(Call::new(Arc::new(work))).await })
}

#[tokio::test]
async fn all_users_of_a_target_share_its_concurrency() {
    let (target, mut requests) = held_target("concurrency = 2").await;
    let calls = [&target, &target, &target.clone()].map(|target| spawn(target, work("order")));
    let (first, second) = (with_timeout(requests.recv()).await.unwrap(), with_timeout(requests.recv()).await.unwrap());
    assert!(tokio::time::timeout(Duration::from_millis(50), requests.recv()).await.is_err(), "the third one waits");
    done(first).await;
    done(with_timeout(requests.recv()).await.unwrap()).await;
    done(second).await;
    for call in calls {
        assert_eq!(with_timeout(call).await.unwrap(), Handled::DONE);
    }
}

#[tokio::test(start_paused = true)]
async fn all_users_of_a_target_share_its_rate() {
    let (target, mut server) = answering_target(200, "rate_per_second = 2").await;
    let begin = Instant::now();
    let calls = [&target, &target, &target.clone()].map(|target| spawn(target, work("order")));
    let mut times = Vec::new();
    for call in calls {
        server.next().await;
        times.push(begin.elapsed().as_millis());
        assert_eq!(with_timeout(call).await.unwrap(), Handled::DONE);
    }
    assert_eq!(times, [0, 500, 1000]);
}

/// The next turn is in 100 s: without the end of its wait, the work would be sent to a target that is down.
#[tokio::test]
async fn work_that_waits_for_its_turn_is_released_when_the_breaker_opens() {
    let (target, mut server) = answering_target(503, "rate_per_second = 0.01").await;
    let orders = Orders::new(3).await;
    let running = orders.run_pausing(handler(&target), 2, 1).await;
    server.next().await;
    with_timeout(async {
        while running.health().await.held.is_empty() || running.health().await.running > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let report = with_timeout(running.stop(Span::ZERO)).await;
    assert_eq!((report.retried, report.deferred, report.aborted), (1, 2, 0), "{report:?}");
}

/// The work begins after the timeout of its attempt, counted from its claim, has passed.
#[tokio::test]
async fn waiting_for_a_turn_spends_neither_an_attempt_nor_its_timeout() {
    let (target, mut requests) = held_target("concurrency = 1\ntimeout_ms = 1000").await;
    let other = spawn(&target, work("other"));
    let held = with_timeout(requests.recv()).await.unwrap();
    let orders = Orders::new(1).await;
    let running = orders.run(handler(&target)).await;
    until_running(&running, 1).await;
    orders.advance(&running, Span::from_hours(1)).await;
    done(held).await;
    let held = with_timeout(requests.recv()).await.unwrap();
    orders.advance(&running, Span::from_millis(999)).await;
    done(held).await;
    let report = with_timeout(running.stop(Span::from_hours(1))).await;
    assert_eq!((report.done, report.retried, report.dead_lettered, report.deferred), (1, 0, 0, 0), "{report:?}");
    assert_eq!(with_timeout(other).await.unwrap(), Handled::DONE);
}

#[tokio::test]
async fn a_call_over_the_timeout_of_its_target_fails_like_one_over_the_timeout_of_the_runner() {
    let (target, mut requests) = held_target("timeout_ms = 20").await;
    let orders = Orders::new(1).await;
    let running = orders.run(handler(&target)).await;
    let _unanswered = with_timeout(requests.recv()).await.unwrap();
    orders.advance(&running, Span::from_millis(20)).await;
    let letters = with_timeout(async {
        loop {
            let found = orders.store.find_letters(FindLetters::all(name("dead"), 10)).await.unwrap();
            if !found.letters.is_empty() {
                return found.letters;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let letter = letters[0].letter.as_ref().unwrap().id;
    let letter = orders.store.letter(GetLetter { queue: name("dead"), letter }).await.unwrap();
    assert_eq!(letter.attempts[0].cause, Some(Cause::TimedOut));
    assert_eq!(letter.attempts[0].error, "the attempt timed out after 20ms");
    running.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_runner_that_stops_returns_waiting_work_untouched() {
    let (target, mut requests) = held_target("concurrency = 1").await;
    let orders = Orders::new(2).await;
    let running = orders.run(handler(&target)).await;
    let _unanswered = with_timeout(requests.recv()).await.unwrap();
    until_running(&running, 2).await;
    let report = with_timeout(running.stop(Span::ZERO)).await;
    assert_eq!((report.deferred, report.aborted), (1, 1), "{report:?}");
}
