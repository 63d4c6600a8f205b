//! Limits and timeouts of a target under a runner.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{Backoff, Policy, QueueName, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Cause, CreateQueue, FindLetters, GetLetter, NewItem, Produce, QueueSettings};
use redrive_run::{Call, Handled, Handler, Runner, RunnerSettings, Running, StoreQueue};
use redrive_store::Store;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::fixture::{handler, start, with_timeout, work};
use crate::server::answer;

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

async fn done(mut stream: TcpStream) {
    stream.write_all(&answer(200, "")).await.unwrap();
}

fn name(text: &str) -> QueueName {
    QueueName::new(text).unwrap()
}

/// A store with the queues `orders` and `dead`, and items in `orders`.
async fn orders(items: usize) -> Arc<dyn Store> {
    let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
    store.create_queue(CreateQueue { settings: QueueSettings::new(name("dead")) }).await.unwrap();
    let settings = QueueSettings { dead_queue: Some(name("dead")), ..QueueSettings::new(name("orders")) };
    store.create_queue(CreateQueue { settings }).await.unwrap();
    let items = (0..items).map(|item| NewItem::of_payload(item.to_string())).collect();
    store.produce(Produce::new(name("orders"), items)).await.unwrap();
    store
}

/// A runner over `orders` with one attempt for each item.
async fn run(store: &Arc<dyn Store>, handler: Arc<dyn Handler>, timeout: Span) -> Running {
    let policy = Policy::builder().max_attempts(1).backoff(Backoff::fixed(Span::ZERO)).build().unwrap();
    let settings = RunnerSettings { concurrency: 8, timeout, breaker: None, ..RunnerSettings::default() };
    let source = StoreQueue::new(Arc::clone(store), name("orders"), Span::from_mins(10));
    Runner::sharing(source, handler, policy, settings).unwrap().start().await.unwrap()
}

#[tokio::test]
async fn all_users_of_a_target_share_its_concurrency() {
    let (url, mut requests) = held_server().await;
    let target = start(&format!("http = '{url}'\nconcurrency = 2")).await;
    let users = [handler(&target), handler(&target), handler(&target.clone())];
    let calls: Vec<_> = users
        .into_iter()
        .map(|user| tokio::spawn(async move { user.handle(Call::new(Arc::new(work("order")))).await }))
        .collect();
    let (first, second) = (with_timeout(requests.recv()).await.unwrap(), with_timeout(requests.recv()).await.unwrap());
    assert!(tokio::time::timeout(Duration::from_millis(50), requests.recv()).await.is_err(), "the third one waits");
    done(first).await;
    done(with_timeout(requests.recv()).await.unwrap()).await;
    done(second).await;
    for call in calls {
        assert_eq!(with_timeout(call).await.unwrap(), Handled::DONE);
    }
}

/// The second request begins after the timeout of its attempt, counted from its claim, has passed.
#[tokio::test]
async fn waiting_for_a_turn_spends_neither_an_attempt_nor_its_timeout() {
    let (url, mut requests) = held_server().await;
    let target = start(&format!("http = '{url}'\nrate_per_second = 2")).await;
    let store = orders(3).await;
    let timeout = Span::from_millis(300);
    let running = run(&store, handler(&target), timeout).await;
    for _ in 0..3 {
        done(with_timeout(requests.recv()).await.unwrap()).await;
    }
    let report = with_timeout(running.stop(Span::from_secs(10))).await;
    assert_eq!((report.done, report.retried, report.dead_lettered, report.deferred), (3, 0, 0, 0), "{report:?}");
}

#[tokio::test]
async fn a_call_over_the_timeout_of_its_target_fails_like_one_over_the_timeout_of_the_runner() {
    let (url, mut requests) = held_server().await;
    let target = start(&format!("http = '{url}'\ntimeout_ms = 20")).await;
    let store = orders(1).await;
    let running = run(&store, handler(&target), Span::from_mins(5)).await;
    let _unanswered = with_timeout(requests.recv()).await.unwrap();
    let mut letters = Vec::new();
    while letters.is_empty() {
        letters = store.find_letters(FindLetters::all(name("dead"), 10)).await.unwrap().letters;
        tokio::task::yield_now().await;
    }
    let letter = letters[0].letter.as_ref().unwrap().id;
    let letter = store.letter(GetLetter { queue: name("dead"), letter }).await.unwrap();
    assert_eq!(letter.attempts[0].cause, Some(Cause::TimedOut));
    assert_eq!(letter.attempts[0].error, "the attempt timed out after 20ms");
    running.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_runner_that_stops_returns_waiting_work_untouched() {
    let (url, mut requests) = held_server().await;
    let target = start(&format!("http = '{url}'\nconcurrency = 1")).await;
    let store = orders(2).await;
    let running = run(&store, handler(&target), Span::from_mins(5)).await;
    let first = with_timeout(requests.recv()).await.unwrap();
    let stopping = tokio::spawn(running.stop(Span::from_millis(100)));
    let report = with_timeout(stopping).await.unwrap();
    assert_eq!((report.deferred, report.aborted), (1, 1), "{report:?}");
    drop(first);
}
