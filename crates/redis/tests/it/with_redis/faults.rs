//! A server that forgets scripts, breaks connections, pauses, and restarts, under load.

use std::time::Duration;

use redrive_core::Span;
use redrive_mailbox::{MailboxBackend, MailboxError, NewMessage, ReceiveSpec};
use redrive_redis::RedisSettings;

use crate::fixture::{Load, OwnServer, Proxy, Raw, namespace, open, receive, send, server};

/// Gives up on an answer soon, and on an operation late.
fn patient(server: &OwnServer) -> RedisSettings {
    RedisSettings {
        response_timeout: Duration::from_millis(300),
        retry_for: Duration::from_secs(30),
        ..RedisSettings::new(server.url())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flushed_scripts_are_stored_again() {
    let server = OwnServer::start(&[]).await;
    let load = Load::start(&open(patient(&server)).await, 200);
    let raw = Raw::server(&server.url()).await;
    for _ in 0..20 {
        let _flushed: String = raw.run(&["SCRIPT", "FLUSH"]).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    load.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_connections_lose_and_repeat_nothing() {
    let server = OwnServer::start(&[]).await;
    let load = Load::start(&open(patient(&server)).await, 200);
    let raw = Raw::server(&server.url()).await;
    for _ in 0..20 {
        let _killed: u64 = raw.run(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]).await;
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
    load.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_sleeps_loses_and_repeats_nothing() {
    let server = OwnServer::start(&["--enable-debug-command", "yes"]).await;
    let load = Load::start(&open(patient(&server)).await, 100);
    let raw = Raw::server(&server.url()).await;
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        // The answer may come after the timeout of this connection.
        let _slept = raw.try_run(&["DEBUG", "SLEEP", "0.8"]).await;
    }
    load.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspended_server_loses_and_repeats_nothing() {
    let server = OwnServer::start(&[]).await;
    let load = Load::start(&open(patient(&server)).await, 100);
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        server.suspend();
        tokio::time::sleep(Duration::from_millis(900)).await;
        server.resume();
    }
    load.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_and_restarted_loses_and_repeats_nothing() {
    let mut server = OwnServer::start(&[]).await;
    let load = Load::start(&open(patient(&server)).await, 100);
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(60)).await;
        server.kill();
        tokio::time::sleep(Duration::from_millis(200)).await;
        server.restart().await;
    }
    load.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_outage_is_an_error_and_loses_nothing() {
    let mut server = OwnServer::start(&[]).await;
    let settings = RedisSettings { retry_for: Duration::from_millis(300), ..patient(&server) };
    let mailbox = open(settings).await;
    send(&mailbox, "before").await;
    let held = receive(&mailbox).await.remove(0);
    server.kill();
    let unavailable = |error: MailboxError| assert!(matches!(error, MailboxError::Connection { .. }), "{error}");
    unavailable(mailbox.send(NewMessage::new("during")).await.unwrap_err());
    unavailable(mailbox.acknowledge(&held.handle).await.unwrap_err());
    unavailable(mailbox.counts().await.unwrap_err());
    server.restart().await;
    mailbox.acknowledge(&held.handle).await.unwrap();
    send(&mailbox, "after").await;
    assert_eq!(&*receive(&mailbox).await.remove(0).body, b"after");
}

/// A connection to a host that has gone stays open, and never answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_no_longer_answer_are_replaced() {
    let proxy = Proxy::start(server().strip_prefix("redis://").unwrap()).await;
    let settings = RedisSettings {
        namespace: namespace(),
        response_timeout: Duration::from_secs(1),
        retry_for: Duration::from_secs(20),
        // A receive on a dead connection notices it after 11 s: the last one may not wait as long.
        block_for: Duration::from_secs(10),
        ..RedisSettings::new(&proxy.url)
    };
    let mailbox = open(settings).await;
    let wait = |wait| ReceiveSpec { wait, ..ReceiveSpec::default() };
    // Leaves four idle connections for commands that block.
    let idle = (0..4).map(|_| mailbox.receive(wait(Span::from_millis(100))));
    for received in futures_util::future::join_all(idle).await {
        assert_eq!(received, Ok(Vec::new()));
    }
    proxy.freeze_connections();
    send(&mailbox, "a").await;
    assert_eq!(receive(&mailbox).await.len(), 1);
    // Long enough for a command that blocks, however slow the machine is: the first of the idle connections fails. None
    // of the others may be used after it.
    assert_eq!(mailbox.receive(wait(Span::from_secs(1))).await, Ok(Vec::new()));
    let waiting = tokio::spawn({
        let mailbox = mailbox.clone();
        async move { mailbox.receive(wait(Span::from_secs(60))).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    send(&mailbox, "b").await;
    let received = tokio::time::timeout(Duration::from_secs(6), waiting).await;
    assert_eq!(received.expect("the receive waits on a dead connection").unwrap().unwrap().len(), 1);
}

#[tokio::test]
async fn an_operation_may_be_repeated_forever() {
    let settings = RedisSettings { retry_for: Duration::MAX, namespace: namespace(), ..RedisSettings::new(server()) };
    let mailbox = open(settings).await;
    send(&mailbox, "a").await;
    assert_eq!(receive(&mailbox).await.len(), 1);
}
