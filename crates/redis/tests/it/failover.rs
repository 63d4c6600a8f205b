//! Replies of a server that starts, fails over or loses its replicas.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use redrive_mailbox::{MailboxBackend, MailboxError, NewMessage};
use redrive_redis::{RedisMailbox, RedisSettings};

use crate::fixture::{FakeServer, open};

const INFO: &str = "redis_version:6.2.14\r\n";

/// A server whose scripts fail with this error, `failures` times after the mailbox was opened.
async fn failing(error: &str, failures: u32) -> FakeServer {
    let (error, calls) = (error.to_owned(), AtomicU32::new(0));
    FakeServer::start(move |request| match request[0].as_str() {
        "INFO" => format!("${}\r\n{INFO}\r\n", INFO.len()),
        "BLPOP" => "*-1\r\n".to_owned(),
        "EVALSHA" => match calls.fetch_add(1, Ordering::SeqCst) {
            // The check of the permissions.
            0 => "*0\r\n".to_owned(),
            call if call <= failures => format!("-{error}\r\n"),
            _ => "*2\r\n$2\r\nok\r\n:0\r\n".to_owned(),
        },
        _ => "+OK\r\n".to_owned(),
    })
    .await
}

async fn mailbox(server: &FakeServer) -> Arc<RedisMailbox> {
    open(RedisSettings { retry_for: Duration::from_secs(2), ..RedisSettings::new(&server.url) }).await
}

/// The forms of an error inside of a script: of Redis 7, and of Redis 6.2.
fn forms(code: &str) -> [String; 2] {
    let sha = "5d0d4d2e2c6b5b8a4a7a0f0d3b1a9e8c7d6f5e4b";
    [
        format!("{code} it will pass. script: {sha}, on @user_script:50."),
        format!("ERR Error running script (call to f_{sha}): @user_script:50: @user_script: 50: -{code} it will pass."),
    ]
}

#[tokio::test]
async fn an_operation_is_repeated_after_the_replies_of_a_failover() {
    for code in ["READONLY", "LOADING", "TRYAGAIN", "MASTERDOWN", "NOREPLICAS", "CLUSTERDOWN", "BUSY"] {
        for error in forms(code) {
            let server = failing(&error, 3).await;
            let sent = mailbox(&server).await.send(NewMessage::new("a")).await;
            assert!(sent.is_ok(), "{error}: {sent:?}");
        }
    }
}

/// The address may lead to the new master, but the connection still leads to the old one.
#[tokio::test]
async fn a_connection_to_a_replica_is_replaced() {
    for error in forms("READONLY") {
        let server = failing(&error, 1).await;
        let mailbox = mailbox(&server).await;
        let before = server.connections();
        mailbox.send(NewMessage::new("a")).await.unwrap();
        assert_eq!(server.connections(), before + 1, "{error}");
    }
}

#[tokio::test]
async fn an_operation_is_not_repeated_after_any_other_error() {
    for error in [&forms("WRONGTYPE")[..], &["ERR unknown command".to_owned()]].concat() {
        let server = failing(&error, u32::MAX).await;
        let mailbox = mailbox(&server).await;
        let sent = tokio::time::timeout(Duration::from_secs(1), mailbox.send(NewMessage::new("a"))).await;
        let sent = sent.expect("the operation was repeated");
        assert!(matches!(sent, Err(MailboxError::Connection { .. })), "{error}: {sent:?}");
    }
}
