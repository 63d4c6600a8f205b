//! Routes over mailboxes with a real Redis, real targets and the real program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_mailbox::{MailboxBackend, MailboxName, MailboxSettings, NewMessage};
use redrive_redis::{RedisClient, RedisMailbox, RedisSettings};
use serde_json::json;

use crate::monitoring::page;
use crate::outcome;
use crate::test_server::{command, folder, words};
use crate::with_kafka::fixture::{
    Answer, HttpTarget, TargetCall, count, dead_letters, route, serve, serve_with_queue, wait_until,
};

/// The Redis server of the tests, and a part of it for one test.
struct TestRedis {
    url: String,
    name: String,
    runtime: tokio::runtime::Runtime,
    client: RedisClient,
}

impl TestRedis {
    fn new(name: &str) -> Self {
        let url = format!("redis://{}", std::env::var("REDRIVE_TEST_REDIS").expect("cargo xtask test sets it"));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let client = runtime.block_on(RedisClient::connect(RedisSettings::new(&url))).unwrap();
        let name = format!("{name}-{:016x}", redrive_store::random_seed());
        Self { url, name, runtime, client }
    }

    /// The name of a mailbox of this test.
    fn name(&self, mailbox: &str) -> String {
        format!("{}-{mailbox}", self.name)
    }

    fn mailbox(&self, mailbox: &str) -> Arc<RedisMailbox> {
        let name = MailboxName::new(&self.name(mailbox)).unwrap();
        self.runtime.block_on(self.client.mailbox(&name, MailboxSettings::default())).unwrap()
    }

    fn send(&self, mailbox: &str, bodies: &[&str], reply_to: Option<&str>) {
        let mailbox = self.mailbox(mailbox);
        for body in bodies {
            let reply_to = reply_to.map(|reply_to| MailboxName::new(&self.name(reply_to)).unwrap());
            let message = NewMessage { reply_to, ..NewMessage::new((*body).to_owned()) };
            self.runtime.block_on(mailbox.send(message)).unwrap();
        }
    }

    fn bodies(&self, mailbox: &str) -> Vec<String> {
        let page = self.runtime.block_on(self.mailbox(mailbox).browse(None, 1000)).unwrap();
        let mut bodies: Vec<String> =
            page.messages.iter().map(|message| String::from_utf8(message.body.to_vec()).unwrap()).collect();
        bodies.sort();
        bodies
    }

    fn count(&self, mailbox: &str) -> u64 {
        self.runtime.block_on(self.mailbox(mailbox).counts()).unwrap().total()
    }
}

/// Rejects `poison`.
fn shop(call: &TargetCall) -> Answer {
    Answer::Status(if call.body == "poison" { 400 } else { 200 })
}

#[test]
fn consume_mailbox_needs_no_server_and_writes_letters_to_a_mailbox() {
    let redis = TestRedis::new("consume");
    let target = HttpTarget::new(shop);
    redis.send("requests", &["a", "b", "poison", "c"], None);
    let (requests, letters) = (redis.name("requests"), redis.name("dlq"));
    let consume = format!(
        "consume mailbox {requests} --redis {} --letters {letters} --setting concurrency=2 --http {}",
        redis.url, target.url
    );
    let folder = folder("consume-mailbox");
    let child = command(&words(&consume)).current_dir(folder.path()).spawn().unwrap();
    let is_over = || redis.count("requests") == 0;
    wait_until("all messages", is_over, || redis.count("requests").to_string());
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM).unwrap();
    let ran = outcome(child);
    assert!(ran.code == 0 && ran.stderr.ends_with("done: 3, retried: 0, letters: 1\n"), "{}", ran.stderr);
    assert_eq!((target.count(), redis.count("dlq")), (4, 1));
}

#[test]
fn wrong_options_of_consume_mailbox_are_one_sentence() {
    let start = ["consume", "mailbox", "requests", "--redis", "redis://127.0.0.1:1", "--http", "http://127.0.0.1:1/"];
    let cases: [(&[&str], i32, &str); 5] = [
        (&[], 2, "--letters <NAME>|--dead-queue <QUEUE>"),
        (&["--letters", "l", "--dead-queue", "d"], 2, "cannot be used with"),
        (&["--letters", "l", "--user", "ann"], 2, "--password-file"),
        (&["--letters", "requests"], 1, "mailbox.letters must be another mailbox than its source"),
        (&["--letters", "l"], 1, "the Redis server 'redis' cannot be used"),
    ];
    for (more, code, expected) in cases {
        let ran = outcome(command(&[&start, more].concat()).spawn().unwrap());
        assert!(ran.code == code && ran.stderr.contains(expected), "{more:?}: {} {}", ran.code, ran.stderr);
    }
}

/// Messages to a target, a letter in the dead queue, and its hand-back by an operator.
#[test]
fn a_server_runs_a_route_over_a_mailbox_and_hands_its_letters_back() {
    let (redis, folder) = (TestRedis::new("serve"), folder("serve-mailbox"));
    let is_repaired = Arc::new(AtomicBool::new(false));
    let repaired = Arc::clone(&is_repaired);
    let target =
        HttpTarget::new(move |call| if repaired.load(Ordering::SeqCst) { Answer::Status(200) } else { shop(call) });
    let (url, prefix) = (&redis.url, &redis.name);
    let config = format!(
        "[targets.shop]\nhttp = \"{}\"\nbody_is_result = true\n\
         [targets.back]\norigin = true\n[targets.back.mailbox]\nredis = \"main\"\nmailboxes = [\"{prefix}-*\"]\n\
         [redis.main]\nurl = \"{url}\"\n\
         [dlq]\ntargets = [{{ queue = \"dead\", target = \"back\" }}]\n\
         [[routes]]\nname = \"requests\"\ntarget = \"shop\"\ndead_queue = \"dead\"\n\
         [routes.mailbox]\nredis = \"main\"\nname = \"{prefix}-requests\"\nreplies = [\"{prefix}-replies\"]\n",
        target.url
    );
    let server = serve(folder.path(), &config);
    redis.send("requests", &["a", "poison"], Some("replies"));
    let shown = || route(&server, "requests");
    let is_settled =
        |route: &serde_json::Value, done| count(route, "done_total") == done && count(route, "letters_total") == 1;
    wait_until("one letter", || is_settled(&shown(), 1), || shown().to_string());
    assert_eq!(dead_letters(&server, "dead"), ["poison"]);
    wait_until("the depth", || shown()["lag"] == json!("0"), || shown().to_string());
    assert_eq!(shown()["is_healthy"], json!(true));
    let letter = server.objects(&["letters", "list", "dead"]).remove(0);
    is_repaired.store(true, Ordering::SeqCst);
    let id = letter["id"].as_str().unwrap();
    server.run_ok(&["letters", "retry", "dead", id]);
    wait_until("the message is done", || is_settled(&shown(), 2), || shown().to_string());
    assert_eq!(target.calls().iter().filter(|call| call.body == "poison").count(), 2);
    let replies = redis.bodies("replies");
    assert_eq!(
        replies.iter().filter(|reply| reply.contains("Dead-lettered after 1 attempts")).count(),
        1,
        "{replies:?}"
    );
    let metrics = page(&server, "/metrics");
    assert!(metrics.contains("redrive_route_lag{namespace=\"\",route=\"requests\"} 0"), "{metrics}");
}

/// Nothing is configured for the dead queue: its letters go back to the mailbox that the route reads.
#[test]
fn letters_of_a_route_go_back_to_its_mailbox_without_a_target() {
    let (redis, folder) = (TestRedis::new("without-target"), folder("mailbox-without-target"));
    let is_repaired = Arc::new(AtomicBool::new(false));
    let repaired = Arc::clone(&is_repaired);
    let target =
        HttpTarget::new(move |call| if repaired.load(Ordering::SeqCst) { Answer::Status(200) } else { shop(call) });
    let (url, requests) = (&redis.url, redis.name("requests"));
    let config = format!(
        "[targets.shop]\nhttp = \"{}\"\n[redis.main]\nurl = \"{url}\"\n\
         [[routes]]\nname = \"requests\"\ntarget = \"shop\"\ndead_queue = \"dead\"\n\
         [routes.mailbox]\nredis = \"main\"\nname = \"{requests}\"\n",
        target.url
    );
    let server = serve_with_queue(folder.path(), &config, "dead");
    redis.send("requests", &["a", "poison", "poison"], None);
    let has_letters = || count(&route(&server, "requests"), "letters_total") == 2;
    wait_until("two letters", has_letters, || route(&server, "requests").to_string());
    let id = server.objects(&["letters", "list", "dead"]).remove(0)["id"].as_str().unwrap().to_owned();
    let show = || server.objects(&["letters", "show", "dead", &id]).remove(0);
    let shown = server.run_ok(&["letters", "show", "dead", &id]);
    assert!(shown.contains(&format!("hand it back to '{requests}' with: redrive letters retry dead {id}")), "{shown}");
    server.run_ok(&["letters", "retry", "dead", &id]);
    wait_until("it fails again", || show()["origin"]["replays"] == 1, || show().to_string());
    assert_eq!(dead_letters(&server, "dead").len(), 2, "it is the same letter");
    is_repaired.store(true, Ordering::SeqCst);
    let retried = server.objects(&["letters", "retry", "dead", "--all", "--yes", "--reason", "repaired"]).remove(0);
    assert_eq!((&retried["retried"], &retried["failed"]), (&json!(2), &json!(0)), "{retried}");
    let is_done = || count(&route(&server, "requests"), "done_total") == 3;
    wait_until("all are done", is_done, || route(&server, "requests").to_string());
    assert_eq!(show()["attempts"].as_array().unwrap().last().unwrap()["handed_back_to"], json!(requests));
    let shown = server.run_ok(&["letters", "show", "dead", &id]);
    assert!(shown.contains(&format!("handed back to '{requests}' at ")), "{shown}");
    assert_eq!((target.count(), redis.count("requests")), (6, 0));
}
