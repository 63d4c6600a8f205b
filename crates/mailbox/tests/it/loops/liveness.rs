//! Heartbeats, leases and outages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use redrive_core::{Failure, Span};
use redrive_mailbox::conformance::FaultyMailbox;
use redrive_mailbox::{LoopSettings, Mailbox, MailboxBackend, MainLoop, Progress, ReplyResolver};
use redrive_store::ManualClock;
use tokio::sync::Notify;

use super::fixture::{LoopFixture, Mailboxes, START, settled, start, until};

#[tokio::test]
async fn e_beats_go_on_during_an_outage_and_the_loop_resumes() {
    let fixture = LoopFixture::new();
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.requests)));
    let mailboxes = Mailboxes { requests: Arc::clone(&faulty) as Arc<dyn MailboxBackend>, ..fixture.mailboxes.clone() };
    faulty.fail_next(u32::MAX);
    let running = start(fixture.main_loop(&mailboxes).with_dlq(fixture.dlq()));
    let runnable = &running.runnable;
    until("trouble", async || runnable.trouble().await.is_some()).await;
    fixture.request("after the outage").await;
    for step in 0..60 {
        fixture.clock.advance(Span::from_secs(5));
        until("a beat", async || runnable.heartbeat().age() < Span::from_secs(5)).await;
        assert!(runnable.is_running(), "after {step} steps");
    }
    let trouble = runnable.trouble().await.expect("readiness shows the outage");
    assert!(trouble.starts_with("receiving fails since"), "{trouble}");
    faulty.fail_next(0);
    fixture.clock.advance(Span::from_secs(5));
    until("the reply", async || fixture.replies().await.len() == 1).await;
    assert_eq!(runnable.trouble().await, None);
    running.stop().await;
}

/// Leases are counted by the clock of the backend. That of a worker may be wrong by hours.
#[tokio::test]
async fn a_worker_whose_clock_is_wrong_keeps_its_leases() {
    for (ahead, behind) in [(Span::from_hours(1), Span::ZERO), (Span::ZERO, Span::from_hours(1))] {
        let fixture = LoopFixture::new();
        let clock = ManualClock::new(START.saturating_add(ahead).saturating_sub(behind));
        fixture.request("a").await;
        let resolver = ReplyResolver::builder().register(Arc::clone(&fixture.mailboxes.replies)).build();
        let requests = Mailbox::new(Arc::clone(&fixture.mailboxes.requests)).with_resolver(resolver);
        let (ready, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (begun, may_end) = (Arc::clone(&ready), Arc::clone(&go));
        let main = MainLoop::on_clock(requests, Arc::new(clock.clone()), move |request: String, _| {
            let (begun, may_end) = (Arc::clone(&begun), Arc::clone(&may_end));
            async move {
                begun.notify_one();
                may_end.notified().await;
                Ok::<_, Failure>(request)
            }
        });
        let running = start(main.with_dlq(fixture.dlq()));
        ready.notified().await;
        let requests = &fixture.mailboxes.requests;
        // The extension at the start is 900 s: it is known to both sides.
        until("the extension", async || {
            let counts = requests.counts().await.unwrap();
            counts.leased == 1
        })
        .await;
        settled().await;
        for _ in 0..8 {
            fixture.clock.advance(Span::from_secs(100));
            clock.advance(Span::from_secs(100));
            settled().await;
        }
        go.notify_one();
        fixture.until_no_requests().await;
        let report = running.stop().await;
        assert_eq!((report.done, report.lost), (1, 0), "ahead by {ahead}, behind by {behind}");
        assert_eq!(fixture.replies().await.len(), 1);
    }
}

/// Results that cannot be settled keep the loop from receiving, but not from beating.
#[tokio::test]
async fn e_beats_go_on_while_replies_cannot_be_sent() {
    let fixture = LoopFixture::new();
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.replies)));
    faulty.fail_next(u32::MAX);
    let mailboxes = Mailboxes { replies: Arc::clone(&faulty) as Arc<dyn MailboxBackend>, ..fixture.mailboxes.clone() };
    for number in 0..4 {
        fixture.request(&format!("{number}")).await;
    }
    let running = start(fixture.main_loop(&mailboxes).with_dlq(fixture.dlq()));
    until("trouble", async || running.runnable.trouble().await.is_some()).await;
    for _ in 0..200 {
        fixture.clock.advance(Span::from_secs(5));
        until("a beat", async || running.runnable.heartbeat().age() < Span::from_secs(5)).await;
    }
    faulty.fail_next(0);
    until("four replies", async || {
        fixture.clock.advance(Span::from_secs(5));
        fixture.replies().await.len() == 4
    })
    .await;
    fixture.until_no_requests().await;
    assert_eq!(fixture.attempts().len(), 4, "no request was processed twice");
    running.stop().await;
}

/// A handler that waits until the test lets it continue, and beats if the test says so.
struct Waiting {
    release: Arc<Notify>,
    beat: Arc<Notify>,
    starts: Arc<AtomicU32>,
}

impl Waiting {
    fn new() -> Self {
        Self { release: Arc::default(), beat: Arc::default(), starts: Arc::default() }
    }

    fn handler(
        &self,
    ) -> impl Fn(String, Progress) -> futures_util::future::BoxFuture<'static, Result<String, redrive_core::Failure>>
    + Send
    + Sync
    + 'static {
        let (release, beat, starts) = (Arc::clone(&self.release), Arc::clone(&self.beat), Arc::clone(&self.starts));
        move |request, progress| {
            let (release, beat) = (Arc::clone(&release), Arc::clone(&beat));
            starts.fetch_add(1, Ordering::Relaxed);
            Box::pin(async move {
                loop {
                    tokio::select! {
                        () = release.notified() => return Ok(request),
                        () = beat.notified() => progress.beat(),
                    }
                }
            })
        }
    }
}

#[tokio::test]
async fn a_handler_that_gives_signs_of_life_keeps_its_lease() {
    let fixture = LoopFixture::with_request("long").await;
    let waiting = Waiting::new();
    let running = start(fixture.loop_of(&fixture.mailboxes, waiting.handler()).with_dlq(fixture.dlq()));
    let requests = &fixture.mailboxes.requests;
    until("a start", async || waiting.starts.load(Ordering::Relaxed) == 1).await;
    for _ in 0..30 {
        waiting.beat.notify_one();
        settled().await;
        fixture.clock.advance(Span::from_secs(120));
        settled().await;
        assert_eq!(requests.counts().await.unwrap().leased, 1);
    }
    waiting.release.notify_one();
    fixture.until_no_requests().await;
    assert_eq!((waiting.starts.load(Ordering::Relaxed), fixture.replies().await.len()), (1, 1));
    running.stop().await;
}

/// The lease is extended at the start, and then not without a heartbeat: 900 s after the start it is lost.
#[tokio::test]
async fn a_handler_that_hangs_loses_its_lease_and_is_cancelled() {
    let fixture = LoopFixture::with_request("hang").await;
    let waiting = Waiting::new();
    let running = start(fixture.loop_of(&fixture.mailboxes, waiting.handler()).with_dlq(fixture.dlq()));
    let requests = &fixture.mailboxes.requests;
    until("a start", async || waiting.starts.load(Ordering::Relaxed) == 1).await;
    settled().await;
    fixture.clock.advance(Span::from_secs(899));
    settled().await;
    assert_eq!(requests.counts().await.unwrap().leased, 1, "extended at the start, beyond the 300 s of the receive");
    assert_eq!(running.runnable.heartbeat().age(), Span::from_secs(899));
    fixture.clock.advance(Span::from_secs(2));
    until("another start", async || waiting.starts.load(Ordering::Relaxed) == 2).await;
    waiting.release.notify_one();
    fixture.until_no_requests().await;
    let report = running.stop().await;
    assert_eq!((report.lost, report.done), (1, 1));
}

#[tokio::test]
async fn concurrent_messages_have_their_own_leases() {
    let fixture = LoopFixture::new();
    for number in 0..4 {
        fixture.request(&format!("{number}")).await;
    }
    let waiting = Waiting::new();
    let settings = LoopSettings { concurrency: 3, ..LoopSettings::default() };
    let running = start(fixture.loop_of(&fixture.mailboxes, waiting.handler()).with_settings(settings));
    until("three starts", async || waiting.starts.load(Ordering::Relaxed) == 3).await;
    settled().await;
    let counts = fixture.mailboxes.requests.counts().await.unwrap();
    assert_eq!((counts.leased, counts.pending), (3, 1), "nothing is received ahead");
    waiting.release.notify_one();
    until("the fourth start", async || waiting.starts.load(Ordering::Relaxed) == 4).await;
    waiting.release.notify_waiters();
    fixture.until_no_requests().await;
    assert_eq!(running.stop().await.done, 4);
}
