//! Hand-overs to dead letters by a process that crashes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use redrive_core::{Failure, Span, Time};
use redrive_store::ManualClock;

use super::fixture::name;
use super::{BackendUnderTest, CrashPoint, FaultyMailbox, LetterPath, MailboxHarness};
use crate::{
    BrowsedMessage, DeadLetter, DlqPolicy, LoopRequest, LoopResult, LoopTiming, Mailbox, MailboxBackend,
    MailboxSettings, MainLoop, Progress, ReplyResolver, Runnable,
};

const EVENT_MAX: Duration = Duration::from_secs(30);

/// Longer than any lease or delay of a loop.
const LATER: Span = Span::from_hours(1);

/// Lets a loop with a request that fails permanently crash after each of its operations, and another loop continue.
/// Returns how many operations were interrupted.
///
/// # Panics
///
/// If there is not exactly one letter and one reply (none if the sender expects none), if the reply comes before the
/// letter, or if the handler runs again after the hand-over began.
pub async fn crash_after_each_step(harness: &impl MailboxHarness, path: LetterPath, expects_reply: bool) -> u32 {
    let mut operations = 0;
    while CrashCase::open(harness, path).await.run(operations, expects_reply).await {
        operations += 1;
    }
    operations
}

/// The mailboxes of a process.
#[derive(Clone)]
struct Mailboxes {
    requests: Arc<dyn MailboxBackend>,
    letters: Arc<dyn MailboxBackend>,
    replies: Arc<dyn MailboxBackend>,
}

struct CrashCase {
    bench: Box<dyn BackendUnderTest>,
    clock: ManualClock,
    mailboxes: Mailboxes,
    path: LetterPath,
    attempts: Arc<AtomicU32>,
}

impl CrashCase {
    async fn open(harness: &impl MailboxHarness, path: LetterPath) -> Self {
        let clock = ManualClock::new(Time::from_secs(1_800_000_000));
        let bench = harness.open(clock.clone()).await;
        let dead = MailboxSettings::of_letters();
        let mailboxes = Mailboxes {
            requests: bench.mailbox(&name("requests"), MailboxSettings::default()).await,
            letters: match path {
                LetterPath::Atomic => bench.letters(&name("requests"), &name("requests-dlq"), dead).await,
                LetterPath::InSteps => bench.mailbox(&name("dead"), dead).await,
            },
            replies: bench.mailbox(&name("replies"), MailboxSettings::default()).await,
        };
        Self { bench, clock, mailboxes, path, attempts: Arc::default() }
    }

    /// Returns whether the first process crashed.
    async fn run(self, operations: u32, expects_reply: bool) -> bool {
        let requests: Mailbox<LoopRequest<u32>, LoopResult<u32>> = Mailbox::new(Arc::clone(&self.mailboxes.requests));
        let request = LoopRequest::new("r-1", 1);
        let sent = match expects_reply {
            true => requests.send_expecting_reply(&request, &name("replies")).await,
            false => requests.send(&request).await,
        };
        sent.expect("the request is accepted");
        let crash = CrashPoint::after(operations);
        let first = Arc::new(self.main_loop(&self.crashing(&crash)));
        let running = tokio::spawn({
            let first = Arc::clone(&first);
            async move { first.run(LoopTiming::ALONE).await }
        });
        self.until("the crash or the end", async || crash.has_crashed() || self.requests().await.is_empty()).await;
        running.abort();
        let (letters, replies) = (self.letters().await.len(), self.replies().await.len());
        assert!(replies <= letters, "after {operations} operations: a reply before its letter");
        let has_crashed = crash.has_crashed();
        if has_crashed {
            let is_left = !self.requests().await.is_empty();
            assert!(is_left || letters == 1, "after {operations} operations: neither message nor letter");
            self.continue_after_crash(letters == 1 && is_left).await;
        }
        self.check(operations, expects_reply).await;
        has_crashed
    }

    async fn continue_after_crash(&self, has_begun: bool) {
        let attempts = self.attempts.load(Ordering::Relaxed);
        self.clock.advance(LATER);
        self.bench.clock_moved().await;
        let second = Arc::new(self.main_loop(&self.mailboxes));
        let running = tokio::spawn({
            let second = Arc::clone(&second);
            async move { second.run(LoopTiming::ALONE).await }
        });
        self.until("the end of the request", async || self.requests().await.is_empty()).await;
        if has_begun {
            assert_eq!(self.attempts.load(Ordering::Relaxed), attempts, "the handler ran after the letter");
        }
        second.shutdown(Span::from_secs(10));
        running.await.expect("the loop did not panic").expect("the loop ran");
    }

    async fn check(&self, operations: u32, expects_reply: bool) {
        let letters = self.letters().await;
        assert_eq!(letters.len(), 1, "letters after {operations} operations");
        let letter = DeadLetter::from_body(&letters[0].body).expect("a letter");
        assert_eq!(
            (letter.last_error.as_str(), letter.last_error_type.as_str()),
            ("no such order", "validation.order")
        );
        let replies = self.replies().await;
        assert_eq!(replies.len(), usize::from(expects_reply), "replies after {operations} operations");
        if let Some(reply) = replies.first() {
            let reply: LoopResult<u32> = serde_json::from_slice(&reply.body).expect("a result");
            let expected = format!("Dead-lettered after {} attempts: no such order", letter.delivery_count);
            assert_eq!((reply.request_id.as_deref(), reply.error), (Some("r-1"), Some(expected)));
        }
        assert_eq!(self.requests().await, []);
    }

    fn main_loop(&self, mailboxes: &Mailboxes) -> MainLoop<u32, u32> {
        let resolver = ReplyResolver::builder().register(Arc::clone(&mailboxes.replies)).build();
        let requests = Mailbox::new(Arc::clone(&mailboxes.requests)).with_resolver(resolver);
        let attempts = Arc::clone(&self.attempts);
        let handle = move |_: u32, _: Progress| {
            attempts.fetch_add(1, Ordering::Relaxed);
            async {
                let kind = "validation.order".parse().expect("a valid kind");
                Err::<u32, _>(Failure::of_kind(kind, "no such order"))
            }
        };
        let include = "validation".parse().expect("a valid matcher");
        let dlq = DlqPolicy::new(Arc::clone(&mailboxes.letters)).include([include]);
        MainLoop::on_clock(requests, Arc::new(self.clock.clone()), handle).with_dlq(dlq)
    }

    /// The mailboxes of a process that crashes.
    fn crashing(&self, crash: &CrashPoint) -> Mailboxes {
        let wrap = |inner: &Arc<dyn MailboxBackend>| FaultyMailbox::crashing(Arc::clone(inner), crash.clone());
        let letters = match self.path {
            LetterPath::Atomic => wrap(&self.mailboxes.letters),
            LetterPath::InSteps => wrap(&self.mailboxes.letters).on_another_backend(),
        };
        Mailboxes {
            requests: Arc::new(wrap(&self.mailboxes.requests)),
            letters: Arc::new(letters),
            replies: Arc::new(wrap(&self.mailboxes.replies)),
        }
    }

    async fn until(&self, what: &str, is_true: impl AsyncFn() -> bool) {
        let waiting = async {
            while !is_true().await {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        assert!(tokio::time::timeout(EVENT_MAX, waiting).await.is_ok(), "{what} did not come");
    }

    async fn requests(&self) -> Vec<BrowsedMessage> {
        browse(&*self.mailboxes.requests).await
    }

    async fn letters(&self) -> Vec<BrowsedMessage> {
        browse(&*self.mailboxes.letters).await
    }

    async fn replies(&self) -> Vec<BrowsedMessage> {
        browse(&*self.mailboxes.replies).await
    }
}

async fn browse(mailbox: &dyn MailboxBackend) -> Vec<BrowsedMessage> {
    mailbox.browse(None, 100).await.expect("the backend is available").messages
}
