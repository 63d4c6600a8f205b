//! Waiting by the server's clock.

use std::time::{Duration, Instant};

use redrive_core::Span;
use redrive_mailbox::{MailboxBackend, NackSpec, ReceiveSpec};
use redrive_redis::RedisSettings;

use crate::fixture::{OwnServer, Raw, open, receive, send, settings};

const WAIT: ReceiveSpec = ReceiveSpec { max_messages: 1, visibility: Span::from_secs(30), wait: Span::from_secs(60) };

#[expect(clippy::disallowed_methods, reason = "the tests measure how long a receive waits")]
async fn timed<T>(call: impl Future<Output = T>) -> (T, Duration) {
    let begin = Instant::now();
    let output = call.await;
    (output, begin.elapsed())
}

/// Much shorter than one blocking command would wait without regard to the deadline.
const SOON: Duration = Duration::from_millis(1500);

const AT_ONCE: Duration = Duration::from_millis(200);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receive_wakes_at_the_end_of_a_lease() {
    let mailbox = open(settings()).await;
    send(&mailbox, "a").await;
    let lease = ReceiveSpec { visibility: Span::from_millis(400), ..ReceiveSpec::default() };
    assert_eq!(mailbox.receive(lease).await.unwrap().len(), 1);
    let (received, took) = timed(mailbox.receive(WAIT)).await;
    assert_eq!(received.unwrap()[0].delivery_count, 2);
    assert!((Duration::from_millis(300)..SOON).contains(&took), "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receive_that_waits_learns_of_a_later_delay() {
    let mailbox = open(settings()).await;
    send(&mailbox, "a").await;
    let held = receive(&mailbox).await.remove(0);
    let waiter = tokio::spawn({
        let mailbox = mailbox.clone();
        async move { timed(mailbox.receive(WAIT)).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    mailbox.nack(&held.handle, NackSpec::after(Span::from_millis(300))).await.unwrap();
    let (received, took) = waiter.await.unwrap();
    assert_eq!(received.unwrap()[0].delivery_count, 2);
    assert!((Duration::from_millis(350)..SOON).contains(&took), "{took:?}");
}

/// A poll every 300 ms would send 7 commands in this time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receive_that_waits_sends_almost_nothing() {
    let server = OwnServer::start(&[]).await;
    let mailbox = open(RedisSettings::new(server.url())).await;
    let raw = Raw::server(&server.url()).await;
    let commands = async || -> u64 {
        let info: String = raw.run(&["INFO", "stats"]).await;
        let line = info.lines().find_map(|line| line.strip_prefix("total_commands_processed:")).unwrap();
        line.trim().parse().unwrap()
    };
    let waiter = tokio::spawn({
        let mailbox = mailbox.clone();
        async move { mailbox.receive(WAIT).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let before = commands().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let sent = commands().await - before;
    assert!(sent <= 2, "{sent} commands in 2 s, one of them by this test");
    mailbox.close();
    assert_eq!(waiter.await.unwrap(), Ok(Vec::new()));
}

/// A receive that is closed leaves no connection that blocks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_receive_leaves_no_blocked_client() {
    let server = OwnServer::start(&[]).await;
    // Longer than this test waits: a command that blocks must not end before.
    let settings = RedisSettings { block_for: Duration::from_secs(60), ..RedisSettings::new(server.url()) };
    let mailbox = open(settings).await;
    let raw = Raw::server(&server.url()).await;
    let waiter = tokio::spawn({
        let mailbox = mailbox.clone();
        async move { mailbox.receive(WAIT).await }
    });
    let blocked = async || -> bool {
        let info: String = raw.run(&["INFO", "clients"]).await;
        !info.contains("blocked_clients:0")
    };
    while !blocked().await {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (received, took) = timed(async {
        mailbox.close();
        waiter.await.unwrap()
    })
    .await;
    assert_eq!(received, Ok(Vec::new()));
    assert!(took < AT_ONCE, "{took:?}");
    let unblocked = async {
        while blocked().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), unblocked).await.expect("a connection still blocks");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn close_wakes_a_receive_while_the_server_is_down() {
    let mut server = OwnServer::start(&[]).await;
    let mailbox = open(RedisSettings::new(server.url())).await;
    // One that waits for a message when the server ends, and one that begins afterwards.
    let waiting = tokio::spawn({
        let mailbox = mailbox.clone();
        async move { mailbox.receive(WAIT).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.kill();
    let calling = tokio::spawn({
        let mailbox = mailbox.clone();
        async move { mailbox.receive(WAIT).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (received, took) = timed(async {
        mailbox.close();
        [waiting.await.unwrap(), calling.await.unwrap()]
    })
    .await;
    assert_eq!(received, [Ok(Vec::new()), Ok(Vec::new())]);
    assert!(took < AT_ONCE, "{took:?}");
}
