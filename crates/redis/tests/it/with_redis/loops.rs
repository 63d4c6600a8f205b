//! Loops over mailboxes on Redis.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt as _;
use std::sync::Arc;
use std::time::Duration;

use redrive_core::Span;
use redrive_mailbox::conformance::{LetterPath, crash_after_each_step};
use redrive_mailbox::{
    GroupSettings, LoopGroup, MailboxBackend, MailboxSettings, NewMessage, Replay, ReplyResolver, Runnable,
};
use redrive_redis::{RedisClient, RedisSettings};

use tokio::time::Instant;

use crate::fixture::{LoopMailboxes, LoopProcess, OwnLoop, OwnServer, Raw, RedisHarness, name, settings};

/// The signal of `std::process::abort`.
const SIGABRT: i32 = 6;

const END_MAX: Duration = Duration::from_secs(60);

/// The first words of requests, of which each behaves differently.
const KINDS: [&str; 5] = ["plain", "invalid", "flaky", "failing", "plain"];

async fn send_all(mailboxes: &LoopMailboxes, count: usize) -> BTreeSet<String> {
    let mut sent = BTreeSet::new();
    for number in 0..count {
        let text = format!("{} {number}", KINDS[number % KINDS.len()]);
        mailboxes.request(&text).await;
        sent.insert(text);
    }
    sent
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_a_garbage_body_becomes_one_letter_with_its_bytes_and_the_loop_goes_on() {
    let mailboxes = LoopMailboxes::open(settings()).await;
    mailboxes.requests.send(NewMessage::new(&b"\xFF\x00 garbage"[..])).await.unwrap();
    mailboxes.request("plain").await;
    let running = OwnLoop::start(mailboxes.main_loop());
    mailboxes.until_no_requests(END_MAX).await;
    let letters = mailboxes.letters().await;
    assert_eq!((letters.len(), &*letters[0].body), (1, &b"\xFF\x00 garbage"[..]));
    assert_eq!(mailboxes.replies().await[0].output.as_deref(), Some("plain"));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b_a_message_that_kills_its_process_every_time_becomes_a_letter() {
    let settings = settings();
    let mailboxes = LoopMailboxes::open(settings.clone()).await;
    mailboxes.request("kill").await;
    // A process that a slow server kept from starting ends by a panic, not by the signal of the handler.
    let (mut kills, mut others) = (0, Vec::new());
    let mut process = LoopProcess::start(&settings);
    let begin = Instant::now();
    while mailboxes.requests.counts().await.unwrap().total() > 0 {
        assert!(begin.elapsed() < 2 * END_MAX, "{kills} processes were killed, others: {others:?}");
        if let Some(status) = process.child.try_wait().unwrap() {
            assert!(!status.success(), "the process ended without a crash");
            match status.signal() {
                Some(SIGABRT) => kills += 1,
                _ => others.push(status),
            }
            process = LoopProcess::start(&settings);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(kills, 5, "the handler runs as often as deliveries are allowed; others: {others:?}");
    let letters = mailboxes.letters().await;
    assert_eq!((letters.len(), letters[0].delivery_count), (1, 5));
    assert_eq!(letters[0].last_error_type, "delivery_count_exceeded");
    mailboxes.assert_accounted(&BTreeSet::from(["kill".to_owned()])).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c_a_crash_after_each_step_of_the_hand_over_makes_one_letter_and_one_reply() {
    let cases = [
        (LetterPath::Atomic, true, 5),
        (LetterPath::Atomic, false, 2),
        (LetterPath::InSteps, true, 5),
        (LetterPath::InSteps, false, 4),
    ];
    for (path, expects_reply, least) in cases {
        let interrupted = crash_after_each_step(&RedisHarness::Server, path, expects_reply).await;
        assert!(interrupted >= least, "only {interrupted} steps were interrupted");
    }
}

/// Two groups on the same mailbox, each with its own connections: every request has one last reply, whichever answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_groups_that_compete_answer_each_request_once() {
    let settings = settings();
    let mailboxes = LoopMailboxes::open(settings.clone()).await;
    let mut groups = Vec::new();
    for _ in 0..2 {
        let own = LoopMailboxes::open(settings.clone()).await;
        let group = GroupSettings { watchdog: None, handles_signals: false, ..GroupSettings::default() };
        let group = LoopGroup::new(group).with(own.main_loop());
        let running = tokio::spawn({
            let group = group.clone();
            async move { group.run().await.unwrap() }
        });
        groups.push((group, running));
    }
    let sent = send_all(&mailboxes, 300).await;
    mailboxes.until_no_requests(END_MAX).await;
    let mut done = Vec::new();
    for (group, running) in groups {
        group.shutdown_signal().give();
        let report = running.await.unwrap();
        assert_eq!(report.missed(), [""; 0]);
        done.push(report.loops[0].report.unwrap().done);
    }
    assert!(done.iter().all(|done| *done > 0), "one group did everything: {done:?}");
    mailboxes.assert_accounted(&sent).await;
}

/// Sends requests while a server is disturbed, and accounts for all of them.
async fn under_load(server: &mut OwnServer, disturb: impl AsyncFn(&mut OwnServer)) {
    let settings = RedisSettings {
        response_timeout: Duration::from_millis(300),
        retry_for: Duration::from_secs(30),
        ..RedisSettings::new(server.url())
    };
    let mailboxes = LoopMailboxes::open(settings.clone()).await;
    let running =
        [OwnLoop::start(mailboxes.main_loop()), OwnLoop::start(LoopMailboxes::open(settings).await.main_loop())];
    let sending = tokio::spawn({
        let mailboxes = mailboxes.clone();
        async move { send_all(&mailboxes, 200).await }
    });
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(150)).await;
        disturb(server).await;
    }
    let sent = sending.await.unwrap();
    mailboxes.until_no_requests(END_MAX).await;
    mailboxes.assert_accounted(&sent).await;
    for one in running {
        one.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e_loops_go_on_after_a_server_was_killed_and_restarted() {
    let mut server = OwnServer::start(&[]).await;
    under_load(&mut server, async |server| {
        server.kill();
        tokio::time::sleep(Duration::from_millis(1500)).await;
        server.restart().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e_loops_go_on_after_a_server_was_suspended() {
    let mut server = OwnServer::start(&[]).await;
    under_load(&mut server, async |server| {
        server.suspend();
        tokio::time::sleep(Duration::from_millis(1500)).await;
        server.resume();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e_loops_go_on_after_a_server_slept_and_broke_connections() {
    let mut server = OwnServer::start(&["--enable-debug-command", "yes"]).await;
    under_load(&mut server, async |server| {
        let raw = Raw::server(&server.url()).await;
        // The answers may come after the timeout of this connection.
        let _slept = raw.try_run(&["DEBUG", "SLEEP", "1.2"]).await;
        let _killed = raw.try_run(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]).await;
    })
    .await;
}

/// The watchdog must not end a worker because its server is away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e_beats_go_on_while_the_server_is_down() {
    let mut server = OwnServer::start(&[]).await;
    let settings = RedisSettings {
        response_timeout: Duration::from_millis(200),
        retry_for: Duration::from_millis(500),
        ..RedisSettings::new(server.url())
    };
    let mailboxes = LoopMailboxes::open(settings).await;
    let running = OwnLoop::start(mailboxes.main_loop());
    while !running.runnable.is_running() {
        tokio::task::yield_now().await;
    }
    server.kill();
    let begin = Instant::now();
    let mut oldest = Span::ZERO;
    while begin.elapsed() < Duration::from_secs(12) {
        oldest = oldest.max(running.runnable.heartbeat().age());
        assert!(running.runnable.is_running());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The wait of a receive, its repetitions, and the delay before the next one.
    assert!(oldest < Span::from_secs(9), "no heartbeat for {oldest}");
    assert!(running.runnable.trouble().await.is_some());
    server.restart().await;
    // Also while nothing is sent.
    let back = async {
        while running.runnable.trouble().await.is_some() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(END_MAX, back).await.expect("the loop is healthy again");
    mailboxes.request("plain").await;
    mailboxes.until_no_requests(END_MAX).await;
    running.stop().await;
}

/// The best of some tries counts, because the machine may be busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f_loops_in_long_polls_end_within_200_ms() {
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let client = RedisClient::connect(settings()).await.unwrap();
        let group = GroupSettings { watchdog: None, handles_signals: false, ..GroupSettings::default() };
        let mut group = LoopGroup::new(group);
        let mut loops = Vec::new();
        let letters = client.mailbox(&name("dead"), MailboxSettings::of_letters()).await.unwrap();
        for number in 0..4 {
            let requests =
                client.mailbox(&name(&format!("requests {number}")), MailboxSettings::default()).await.unwrap();
            let mailboxes = LoopMailboxes { requests, letters: letters.clone(), replies: letters.clone() };
            let one = Arc::new(mailboxes.main_loop());
            loops.push(Arc::clone(&one));
            group = group.with_shared(one);
        }
        let running = tokio::spawn({
            let group = group.clone();
            async move { group.run().await.unwrap() }
        });
        while !loops.iter().all(|one| one.is_running()) {
            tokio::task::yield_now().await;
        }
        // Until they wait in their receives.
        tokio::time::sleep(Duration::from_millis(200)).await;
        let begin = Instant::now();
        group.shutdown_signal().give();
        assert_eq!(running.await.unwrap().missed(), [""; 0]);
        best = best.min(begin.elapsed());
    }
    assert!(best <= Duration::from_millis(200), "{best:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_are_replayed_by_a_predicate_and_processed_again() {
    let mailboxes = LoopMailboxes::open(settings()).await;
    let running = OwnLoop::start(mailboxes.main_loop());
    for number in 0..150 {
        mailboxes.request(&format!("invalid {number}")).await;
    }
    mailboxes.until_no_requests(END_MAX).await;
    running.stop().await;
    let resolver = ReplyResolver::builder().register(mailboxes.replies.clone()).build();
    let replay = Replay::new(mailboxes.letters.clone(), mailboxes.requests.clone(), resolver);
    let even = |id: &str| id.rsplit(' ').next().unwrap().parse::<u32>().unwrap() % 2 == 0;
    let report = replay.matching(|letter| even(letter.request_id.as_deref().unwrap())).await.unwrap();
    assert_eq!((report.replayed, report.failed, report.leased), (75, 0, 0), "{report:?}");
    assert_eq!(mailboxes.requests.counts().await.unwrap().pending, 75);
    assert_eq!(mailboxes.letters.counts().await.unwrap().pending, 75);
}
