//! Health checks over HTTP.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::Span;
use redrive_mailbox::conformance::FaultyMailbox;
use redrive_mailbox::{
    DlqConsumer, DlqPolicy, GroupSettings, Heartbeat, LetterAction, LoopError, LoopGroup, LoopTiming, Mailbox,
    MailboxBackend, MainLoop, NewMessage, OnLoopEnd, Progress, Runnable,
};
use redrive_run::RunReport;
use redrive_store::SystemClock;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::fixture::{LoopFixture, Requests, until};
use super::group::{RunningGroup, run};

fn settings() -> GroupSettings {
    GroupSettings {
        handles_signals: false,
        watchdog: None,
        health_address: Some("127.0.0.1:0".parse().unwrap()),
        ..GroupSettings::default()
    }
}

/// Runs the group in a task, and returns the address of its health checks.
async fn serve(group: &LoopGroup) -> (RunningGroup, SocketAddr) {
    let running = run(group);
    (running, group.health_address().await.unwrap())
}

async fn end(group: &LoopGroup, running: RunningGroup) {
    group.shutdown_signal().give();
    running.await.unwrap().unwrap();
}

/// A request as a load balancer sends it. Returns the status and the body.
async fn get(address: SocketAddr, path: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), serde_json::from_str(body).unwrap())
}

/// A loop on the clock of the system, which is that of the group.
fn main_loop(fixture: &LoopFixture, letters: Arc<dyn MailboxBackend>) -> Arc<MainLoop<String, String>> {
    let requests: Requests = Mailbox::new(Arc::clone(&fixture.mailboxes.requests));
    let echo = |request: String, _: Progress| async move { Ok::<_, std::io::Error>(request) };
    Arc::new(MainLoop::new(requests, echo).with_dlq(DlqPolicy::new(letters).depth_alarm(3)))
}

#[tokio::test]
async fn health_shows_loops_and_dead_letters() {
    let fixture = LoopFixture::new();
    let letters = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.letters)));
    let main = main_loop(&fixture, Arc::clone(&letters) as Arc<dyn MailboxBackend>);
    let on_loop_end = OnLoopEnd::Restart { delay: Span::from_hours(1), delay_max: Span::from_hours(1) };
    let group = LoopGroup::new(GroupSettings { on_loop_end, ..settings() });
    let group = group.with_shared(Arc::clone(&main) as Arc<dyn Runnable>);
    let (running, address) = serve(&group).await;
    assert_eq!(get(address, "/health/live").await, (200, json!({ "status": "healthy" })));
    assert_eq!(get(address, "/health").await.0, 404);
    assert_eq!(get(address, "/").await.0, 404);
    until("a running loop", async || main.is_running()).await;
    let (status, body) = get(address, "/health/ready").await;
    assert_eq!((status, &body["status"]), (200, &json!("healthy")));
    assert_eq!(body["dlq"], json!([{ "name": "requests-dlq", "depth": 0, "threshold": 3, "problem": null }]));
    assert_eq!((&body["loops"][0]["name"], &body["loops"][0]["running"]), (&json!("requests"), &json!(true)));

    for _ in 0..3 {
        fixture.mailboxes.letters.send(NewMessage::new("a letter")).await.unwrap();
    }
    let (status, body) = get(address, "/health/ready").await;
    assert_eq!((status, &body["status"], &body["dlq"][0]["depth"]), (200, &json!("degraded"), &json!(3)));
    fixture.mailboxes.letters.purge().await.unwrap();
    letters.fail_next(u32::MAX);
    let (status, body) = get(address, "/health/ready").await;
    assert_eq!((status, &body["status"], &body["dlq"][0]["depth"]), (200, &json!("degraded"), &Value::Null));
    letters.fail_next(0);
    assert_eq!(get(address, "/health/ready").await.1["status"], json!("healthy"));

    // The end of a loop makes the process not ready; it still lives.
    fixture.mailboxes.requests.close();
    until("the end of the loop", async || !main.is_running()).await;
    if !running.is_finished() {
        group.shutdown_signal().give();
    }
    running.await.unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "a group that has ended serves no health checks");
}

/// The consumer of letters comes first, and has no threshold of its own.
#[tokio::test]
async fn a_mailbox_of_letters_is_shown_once_with_the_threshold_of_its_policy() {
    let fixture = LoopFixture::new();
    let main = main_loop(&fixture, Arc::clone(&fixture.mailboxes.letters));
    let ignore = |_, _| async { Ok::<_, std::io::Error>(LetterAction::Processed) };
    let consumer = DlqConsumer::new(Arc::clone(&fixture.mailboxes.letters), ignore);
    let group = LoopGroup::new(settings()).with(consumer).with_shared(main as Arc<dyn Runnable>);
    let (running, address) = serve(&group).await;
    let (_, body) = get(address, "/health/ready").await;
    let shown: Vec<_> = body["dlq"].as_array().unwrap().iter().map(|dlq| (&dlq["name"], &dlq["threshold"])).collect();
    assert_eq!(shown, [(&json!("requests-dlq"), &json!(3))]);
    end(&group, running).await;
}

/// A loop that ends at once.
struct Broken(Heartbeat);

#[async_trait]
impl Runnable for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    async fn run(&self, _: LoopTiming) -> Result<RunReport, LoopError> {
        Err(LoopError::Panicked("broken".to_owned()))
    }

    fn shutdown(&self, _: Span) {}

    fn is_running(&self) -> bool {
        false
    }

    fn heartbeat(&self) -> &Heartbeat {
        &self.0
    }
}

#[tokio::test]
async fn a_loop_that_does_not_run_is_not_ready() {
    let broken = Broken(Heartbeat::new(Arc::new(SystemClock)));
    let on_loop_end = OnLoopEnd::Restart { delay: Span::from_hours(1), delay_max: Span::from_hours(1) };
    let group = LoopGroup::new(GroupSettings { on_loop_end, ..settings() }).with(broken);
    let (running, address) = serve(&group).await;
    until("the error of the loop", async || {
        get(address, "/health/ready").await.1["loops"][0]["problem"]
            .as_str()
            .is_some_and(|text| text.contains("panicked"))
    })
    .await;
    let (status, body) = get(address, "/health/ready").await;
    assert_eq!((status, &body["status"]), (503, &json!("unhealthy")));
    assert_eq!(get(address, "/health/live").await.0, 200);
    end(&group, running).await;
}

#[tokio::test]
async fn a_loop_without_a_heartbeat_is_not_ready() {
    let fixture = LoopFixture::with_request("hang").await;
    let main = fixture.loop_of(&fixture.mailboxes, |_, _| std::future::pending());
    let main = Arc::new(main);
    let group = LoopGroup::new(settings()).with_shared(Arc::clone(&main) as Arc<dyn Runnable>);
    let (running, address) = serve(&group).await;
    until("a leased request", async || fixture.mailboxes.requests.counts().await.unwrap().leased == 1).await;
    fixture.clock.advance(Span::from_secs(660));
    assert_eq!(get(address, "/health/ready").await.0, 200);
    fixture.clock.advance(Span::from_secs(1));
    let (status, body) = get(address, "/health/ready").await;
    assert_eq!((status, &body["loops"][0]["problem"]), (503, &json!("no heartbeat for 11m1s")));
    running.abort();
}

/// Clients that connect and say nothing, or too little.
#[tokio::test]
async fn slow_clients_block_no_other() {
    let fixture = LoopFixture::new();
    let main = main_loop(&fixture, Arc::clone(&fixture.mailboxes.letters));
    let group = LoopGroup::new(settings()).with_shared(Arc::clone(&main) as Arc<dyn Runnable>);
    let (running, address) = serve(&group).await;
    let mut slow = Vec::new();
    for number in 0..50 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        if number % 2 == 0 {
            stream.write_all(b"GET /health/ready HT").await.unwrap();
        }
        slow.push(stream);
    }
    let answer = tokio::time::timeout(Duration::from_secs(3), get(address, "/health/live")).await;
    assert_eq!(answer.unwrap().0, 200);
    end(&group, running).await;
}
