//! A route over a mailbox, and letters that go back to it, on a real Redis.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use redrive_core::{LetterId, Policy, QueueName, Span, Status};
use redrive_mailbox::{DeadLetter, MailboxBackend, MailboxName, MailboxSettings, NewMessage};
use redrive_model::{FullLetter, GetLetter, ListLetters};
use redrive_redis::{RedisClient, RedisMailbox, RedisSettings};
use redrive_routes::{Connections, DesiredRoute, RedisServerSettings, RouteIntent, RouteState, SecretSource};
use redrive_run::{Processor, ProcessorSettings, RunnerSettings};
use redrive_store::{Clock, Store, SystemClock, random_seed};

use super::fixture::{TestRoutes, connections, desired, id};
use crate::fixture::settings;
use crate::redis_server::{OwnServer, PASSWORD, SecureServer, USER};
use crate::server::{Received, Server, Tls, answer};

/// A part of the Redis server for one test.
struct TestRedis {
    url: String,
    key_prefix: String,
    client: RedisClient,
}

impl TestRedis {
    async fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let url = format!("redis://{}", std::env::var("REDRIVE_TEST_REDIS").expect("cargo xtask test sets it"));
        let key_prefix = format!("routes-{:016x}-{}:", random_seed(), NEXT.fetch_add(1, Ordering::Relaxed));
        Self::at(url, key_prefix).await
    }

    async fn at(url: String, key_prefix: String) -> Self {
        let settings = RedisSettings { namespace: key_prefix.clone(), ..RedisSettings::new(&url) };
        let client = RedisClient::connect(settings).await.unwrap();
        Self { url, key_prefix, client }
    }

    async fn mailbox(&self, mailbox: &str) -> Arc<RedisMailbox> {
        self.client.mailbox(&name(mailbox), MailboxSettings::default()).await.unwrap()
    }

    fn settings(&self) -> BTreeMap<String, RedisServerSettings> {
        let server = RedisServerSettings {
            url: Some(self.url.clone()),
            key_prefix: self.key_prefix.clone(),
            ..RedisServerSettings::default()
        };
        BTreeMap::from([("main".to_owned(), server)])
    }

    /// The target `shop` at this address, and this server.
    fn connections(&self, url: &str) -> Connections {
        let mut connections = Connections { redis: self.settings(), ..connections(url) };
        connections.targets.values_mut().for_each(|target| target.body_is_result = Some(true));
        connections
    }
}

fn name(mailbox: &str) -> MailboxName {
    MailboxName::new(mailbox).unwrap()
}

fn expecting_reply(body: &str) -> NewMessage {
    NewMessage { reply_to: Some(name("replies-1")), ..NewMessage::new(body.to_owned()) }
}

async fn bodies(mailbox: &RedisMailbox) -> Vec<String> {
    let messages = mailbox.browse(None, 1000).await.unwrap().messages;
    let mut bodies: Vec<String> =
        messages.into_iter().map(|message| String::from_utf8(message.body.to_vec()).unwrap()).collect();
    bodies.sort();
    bodies
}

async fn total(mailbox: &RedisMailbox) -> u64 {
    mailbox.counts().await.unwrap().total()
}

/// Waits for a condition, which must come true.
async fn until(what: &str, is_true: impl AsyncFn() -> bool) {
    let waiting = async {
        while !is_true().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(30), waiting).await.is_ok(), "{what} did not come");
}

/// A route with a dead queue.
const QUEUED: &str = r#"
    name = "requests"
    target = "shop"
    dead_queue = "dead"
    mailbox = { name = "requests", redis = "main", replies = ["replies-*"] }
"#;

/// A route with a mailbox of letters.
const MAILED: &str = r#"
    name = "requests"
    target = "shop"
    mailbox = { name = "requests", redis = "main", letters = "requests-dlq", concurrency = 2 }
"#;

/// Rejects what contains `poison`.
fn shop(request: &Received) -> Vec<u8> {
    match String::from_utf8_lossy(&request.body).contains("poison") {
        true => answer(400, "no such article"),
        false => answer(200, "placed"),
    }
}

async fn letters(store: &Arc<dyn Store>) -> Vec<FullLetter> {
    let queue = QueueName::new("dead").unwrap();
    let list = ListLetters { queue: queue.clone(), statuses: Vec::new(), after: None, limit: 100 };
    let mut letters = Vec::new();
    for stored in store.letters(list).await.unwrap() {
        let letter = stored.info.letter.unwrap().id;
        letters.push(store.letter(GetLetter { queue: queue.clone(), letter }).await.unwrap());
    }
    letters
}

fn letter_id(letter: &FullLetter) -> LetterId {
    letter.info.letter.as_ref().unwrap().id
}

#[tokio::test]
async fn messages_are_sent_to_the_target_and_what_fails_becomes_a_letter() {
    let redis = TestRedis::new().await;
    let server = Server::answering_by(Tls::None, shop).await;
    let test = TestRoutes::new(&server.url).await;
    let (requests, replies) = (redis.mailbox("requests").await, redis.mailbox("replies-1").await);
    for number in 0..20 {
        requests.send(NewMessage::new(format!("order {number}"))).await.unwrap();
    }
    requests.send(expecting_reply("a book")).await.unwrap();
    requests.send(expecting_reply("{\"request_id\":\"r-1\",\"poison\":true}")).await.unwrap();
    test.routes.replace(redis.connections(&server.url), vec![desired(QUEUED)]);
    let status = test.until("requests", |status| status.totals.done == 21 && status.totals.letters == 1).await;
    assert_eq!((status.state.clone(), status.totals.retried), (RouteState::Running, 0));
    test.until("requests", |status| status.lag() == Some(0) && status.is_healthy()).await;
    let replies = bodies(&replies).await;
    assert_eq!(replies[0], "placed");
    let error: serde_json::Value = serde_json::from_str(&replies[1]).unwrap();
    assert_eq!((&error["request_id"], replies.len()), (&"r-1".into(), 2));
    assert!(error["error"].as_str().unwrap().starts_with("Dead-lettered after 1 attempts: "), "{error}");
    let letter = letters(&test.store).await.remove(0);
    let context = letter.context.unwrap();
    assert_eq!((&*context.origin.transport, &*context.origin.name), ("mailbox", "requests"));
    assert_eq!((context.reply_to.as_deref(), context.request_id.as_deref()), (Some("replies-1"), Some("r-1")));
    test.stop().await;
}

#[tokio::test]
async fn letters_may_go_to_a_mailbox() {
    let redis = TestRedis::new().await;
    let server = Server::answering_by(Tls::None, shop).await;
    let test = TestRoutes::new(&server.url).await;
    redis.mailbox("requests").await.send(NewMessage::new("poison")).await.unwrap();
    test.routes.replace(redis.connections(&server.url), vec![desired(MAILED)]);
    test.until("requests", |status| status.totals.letters == 1).await;
    let letters = redis.mailbox("requests-dlq").await;
    let letter = DeadLetter::from_body(bodies(&letters).await[0].as_bytes()).unwrap();
    assert_eq!((&*letter.body, letter.source_mailbox.as_str()), (&b"poison"[..], "requests"));
    assert_eq!(test.letters().await, 0);
    test.stop().await;
}

/// It is not answered by a mailbox that its sender chose freely.
#[tokio::test]
async fn a_reply_mailbox_that_is_not_listed_is_not_written_to() {
    let redis = TestRedis::new().await;
    let server = Server::answering_by(Tls::None, shop).await;
    let test = TestRoutes::new(&server.url).await;
    let message = NewMessage { reply_to: Some(name("elsewhere")), ..NewMessage::new("a book") };
    redis.mailbox("requests").await.send(message).await.unwrap();
    test.routes.replace(redis.connections(&server.url), vec![desired(QUEUED)]);
    test.until("requests", |status| status.totals.letters == 1).await;
    assert_eq!(total(&*redis.mailbox("elsewhere").await).await, 0);
    let letter = letters(&test.store).await.remove(0);
    assert_eq!(letter.attempts[0].error_type.as_deref(), Some("resolution"));
    test.stop().await;
}

#[tokio::test]
async fn a_paused_route_shows_the_depth_of_its_mailbox() {
    let redis = TestRedis::new().await;
    let server = Server::answering(200).await;
    let test = TestRoutes::new(&server.url).await;
    let requests = redis.mailbox("requests").await;
    for _ in 0..3 {
        requests.send(NewMessage::new("waits")).await.unwrap();
    }
    let paused = DesiredRoute { intent: RouteIntent::Pause, ..desired(MAILED) };
    test.routes.replace(redis.connections(&server.url), vec![paused]);
    test.until("requests", |status| status.state == RouteState::Paused && status.lag() == Some(3)).await;
    assert_eq!(requests.counts().await.unwrap().leased, 0);
    test.routes.set_intent(&id("requests"), RouteIntent::Run);
    test.until("requests", |status| status.totals.done == 3 && status.lag() == Some(0)).await;
    test.routes.set_intent(&id("requests"), RouteIntent::Stop);
    let status = test.until("requests", |status| status.state == RouteState::Stopped && status.lag().is_none()).await;
    assert_eq!(status.totals.done, 3);
    test.stop().await;
}

#[tokio::test]
async fn an_outage_of_the_target_makes_no_letters() {
    let redis = TestRedis::new().await;
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let server =
        Server::answering_by(Tls::None, move |_| answer(if down.load(Ordering::SeqCst) { 503 } else { 200 }, "")).await;
    let test = TestRoutes::new(&server.url).await;
    let requests = redis.mailbox("requests").await;
    for number in 0..20 {
        requests.send(NewMessage::new(number.to_string())).await.unwrap();
    }
    let route = format!(
        "{QUEUED}\npolicy = {{ max_attempts = 3, backoff = {{ default = {{ curve = \"fixed\", first = \"20ms\" }} }} }}"
    );
    test.routes.replace(redis.connections(&server.url), vec![desired(&route)]);
    test.until("requests", |status| status.health.as_ref().is_some_and(|health| health.is_paused_by_outage)).await;
    is_down.store(false, Ordering::SeqCst);
    let status = test.until("requests", |status| status.totals.done == 20).await;
    assert_eq!((status.totals.letters, test.letters().await), (0, 0));
    test.stop().await;
}

/// The text for callers of the API has no address.
#[tokio::test]
async fn a_redis_server_that_is_down_or_denies_the_login_fails_the_route_until_it_is_back() {
    let redis = TestRedis::new().await;
    let server = Server::answering(200).await;
    let test = TestRoutes::new(&server.url).await;
    let unreachable = RedisServerSettings { url: Some("redis://127.0.0.1:1".to_owned()), ..Default::default() };
    let denied = RedisServerSettings {
        url: Some(redis.url.clone()),
        user: Some("nobody".to_owned()),
        password: Some(SecretSource::Text("5ecret".into())),
        ..Default::default()
    };
    for wrong in [unreachable, denied] {
        let connections =
            Connections { redis: BTreeMap::from([("main".to_owned(), wrong)]), ..connections(&server.url) };
        test.routes.replace(connections, vec![desired(MAILED)]);
        let status = test.until("requests", |status| matches!(status.state, RouteState::Failed { .. })).await;
        let RouteState::Failed { error, .. } = &status.state else { panic!("{:?}", status.state) };
        assert_eq!(error, "the Redis server 'main' cannot be used; the server's log says why");
        assert!(!status.is_healthy());
    }
    redis.mailbox("requests").await.send(NewMessage::new("a book")).await.unwrap();
    test.routes.replace(redis.connections(&server.url), vec![desired(MAILED)]);
    test.until("requests", |status| status.totals.done == 1).await;
    test.stop().await;
}

/// A suspended server does not answer, a killed one refuses connections.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_route_shows_an_outage_of_its_redis_server_goes_on_after_it_and_loses_nothing() {
    const MESSAGES: usize = 200;
    let mut redis_server = OwnServer::start(&[]).await;
    let redis = TestRedis::at(redis_server.url(), String::new()).await;
    let called = Arc::new(Mutex::new(BTreeSet::new()));
    let seen = Arc::clone(&called);
    let server = Server::answering_by(Tls::None, move |request| {
        seen.lock().unwrap().insert(String::from_utf8(request.body.clone()).unwrap());
        shop(request)
    })
    .await;
    let test = TestRoutes::new(&server.url).await;
    let (requests, replies) = (redis.mailbox("requests").await, redis.mailbox("replies-1").await);
    // The lease of a message whose receiver got no answer ends soon.
    let route = QUEUED.replace("redis = \"main\"", "redis = \"main\", lease_ms = 5000");
    test.routes.replace(redis.connections(&server.url), vec![desired(&route)]);
    let mut sent = BTreeSet::new();
    for is_killed in [false, true] {
        let before = called.lock().unwrap().len();
        for number in 0..MESSAGES {
            let what = if number % 20 == 0 { "poison" } else { "book" };
            let text = format!("{what} {number} of {is_killed}");
            requests.send(expecting_reply(&text)).await.unwrap();
            sent.insert(text);
        }
        until("a call", async || called.lock().unwrap().len() > before).await;
        if is_killed {
            redis_server.kill();
        } else {
            redis_server.suspend();
        }
        let status = test.until("requests", |status| !status.is_healthy()).await;
        let health = status.health.unwrap();
        assert!(health.claim_trouble.is_some() || health.settle_trouble.is_some(), "{health:?}");
        assert_eq!(status.state, RouteState::Running);
        if is_killed {
            redis_server.restart().await;
        } else {
            redis_server.resume();
        }
        test.until("requests", |status| status.is_healthy() && status.lag() == Some(0)).await;
    }
    assert_eq!(*called.lock().unwrap(), sent);
    // One last reply each, and a letter for each that was rejected: a repeated call is not a second one.
    assert_eq!(total(&replies).await, sent.len() as u64);
    assert_eq!(test.letters().await, sent.len() / 20);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_route_uses_a_mailbox_over_tls_as_a_user_with_the_documented_permissions() {
    let redis = SecureServer::start(&[]).await;
    let server = Server::answering_by(Tls::None, shop).await;
    let test = TestRoutes::new(&server.url).await;
    let main = RedisServerSettings {
        url: Some(format!("rediss://{}", redis.address)),
        user: Some(USER.to_owned()),
        password: Some(SecretSource::Text(PASSWORD.into())),
        ca_file: Some(redis.ca_file()),
        ..RedisServerSettings::default()
    };
    let connections = |main: RedisServerSettings| {
        let mut connections = connections(&server.url);
        connections.targets.values_mut().for_each(|target| target.body_is_result = Some(true));
        Connections { redis: BTreeMap::from([("main".to_owned(), main)]), ..connections }
    };
    // A certificate that the system does not trust, and a wrong password.
    for wrong in [
        RedisServerSettings { ca_file: None, ..main.clone() },
        RedisServerSettings { password: Some(SecretSource::Text("5ecret".into())), ..main.clone() },
    ] {
        test.routes.replace(connections(wrong), vec![desired(QUEUED)]);
        let status = test.until("requests", |status| matches!(status.state, RouteState::Failed { .. })).await;
        assert!(!format!("{status:?}").contains("5ecret"));
    }
    let client = RedisClient::connect(redis.settings()).await.unwrap();
    let requests = client.mailbox(&name("requests"), MailboxSettings::default()).await.unwrap();
    for body in ["a book", "poison"] {
        requests.send(expecting_reply(body)).await.unwrap();
    }
    test.routes.replace(connections(main.clone()), vec![desired(QUEUED)]);
    test.until("requests", |status| status.totals.done == 1 && status.totals.letters == 1 && status.is_healthy()).await;
    let replies = client.mailbox(&name("replies-1"), MailboxSettings::default()).await.unwrap();
    assert_eq!((bodies(&replies).await.len(), test.letters().await), (2, 1));
    test.routes.replace(connections(main), vec![desired(MAILED)]);
    requests.send(NewMessage::new("more poison")).await.unwrap();
    let letters = client.mailbox(&name("requests-dlq"), MailboxSettings::of_letters()).await.unwrap();
    until("the letter", async || total(&letters).await == 1).await;
    test.stop().await;
}

/// Message, failure, letter, hand-back through the target, another failure of the same letter, and success.
#[tokio::test]
async fn a_letter_goes_back_through_the_target_and_a_further_failure_is_the_same_letter() {
    let redis = TestRedis::new().await;
    let is_repaired = Arc::new(AtomicBool::new(false));
    let repaired = Arc::clone(&is_repaired);
    let server = Server::answering_by(Tls::None, move |_| match repaired.load(Ordering::SeqCst) {
        true => answer(200, "placed"),
        false => answer(400, "no such article"),
    })
    .await;
    let test = TestRoutes::new(&server.url).await;
    let (requests, replies) = (redis.mailbox("requests").await, redis.mailbox("replies-1").await);
    test.routes.replace(redis.connections(&server.url), vec![desired(QUEUED)]);
    requests.send(expecting_reply(" a book ")).await.unwrap();
    let queue = QueueName::new("dead").unwrap();
    let processor_settings = ProcessorSettings {
        runner: RunnerSettings { breaker: None, ..RunnerSettings::default() },
        lease: Span::from_secs(60),
        policy: Policy::default(),
        interval: Span::from_secs(10),
    };
    let mut processor = Processor::new(Arc::clone(&test.store), Arc::new(SystemClock), processor_settings);
    let target = "origin = true\n[mailbox]\nredis = 'main'\nmailboxes = ['requests']";
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let connections = redis.connections(&server.url);
    let target = settings(target).check(connections.origins()).unwrap().start(&clock).await.unwrap();
    processor.add(queue.clone(), target.handler(&test.store, &queue)).unwrap();
    for replays in 0..2 {
        until("the letter is open", async || {
            let letters = letters(&test.store).await;
            assert!(letters.len() < 2, "{letters:#?}");
            let info = letters.first().and_then(|letter| letter.info.letter.clone());
            info.is_some_and(|info| info.status == Status::Pending && info.replays == replays)
        })
        .await;
        is_repaired.store(replays == 1, Ordering::SeqCst);
        let letter = letters(&test.store).await.remove(0);
        let retried = processor.retry(&queue, letter_id(&letter), "ann").await.unwrap();
        assert!(retried.is_success() || replays == 0, "{retried:?}");
    }
    test.until("requests", |status| status.totals.done == 1 && status.lag() == Some(0)).await;
    let letter = letters(&test.store).await.remove(0);
    assert_eq!(letter.info.letter.unwrap().status, Status::Completed);
    assert_eq!(&*letter.content.payload, b" a book ");
    let replies = bodies(&replies).await;
    assert_eq!(replies.iter().filter(|reply| *reply == "placed").count(), 1, "{replies:?}");
    assert_eq!(replies.len(), 3, "one for each message");
    test.stop().await;
}
