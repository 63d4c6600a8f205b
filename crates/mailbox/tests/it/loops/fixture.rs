//! A loop over mailboxes in memory, on a clock that the test moves.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use redrive_core::{Failure, Span, Time};
use redrive_mailbox::{
    BrowsedMessage, DeadLetter, DlqPolicy, LoopError, LoopRequest, LoopResult, LoopTiming, Mailbox, MailboxBackend,
    MailboxName, MailboxSettings, MainLoop, MemoryMailboxes, NewMessage, Progress, ReceiveSpec, ReplyResolver,
    Runnable,
};
use redrive_run::RunReport;
use redrive_store::{Clock, ManualClock};
use tokio::task::JoinHandle;

pub(crate) const START: Time = Time::from_secs(1_800_000_000);

pub(crate) type Requests = Mailbox<LoopRequest<String>, LoopResult<String>>;
pub(crate) type TextLoop = MainLoop<String, String>;

/// The mailboxes of a loop.
#[derive(Clone)]
pub(crate) struct Mailboxes {
    pub(crate) requests: Arc<dyn MailboxBackend>,
    pub(crate) letters: Arc<dyn MailboxBackend>,
    pub(crate) replies: Arc<dyn MailboxBackend>,
}

pub(crate) struct LoopFixture {
    pub(crate) clock: ManualClock,
    pub(crate) memory: MemoryMailboxes,
    pub(crate) mailboxes: Mailboxes,
    /// The attempts of the handler: the request, and the number of the attempt.
    pub(crate) attempts: Arc<Mutex<Vec<(String, u32)>>>,
}

pub(crate) fn name(text: &str) -> MailboxName {
    MailboxName::new(text).unwrap()
}

pub(crate) fn failure(kind: &str, message: &str) -> Failure {
    Failure::of_kind(kind.parse().unwrap(), message)
}

impl LoopFixture {
    pub(crate) fn new() -> Self {
        Self::with_letters(MailboxSettings::of_letters())
    }

    /// The same with a request; see [`request`](Self::request).
    pub(crate) async fn with_request(text: &str) -> Self {
        let fixture = Self::new();
        fixture.request(text).await;
        fixture
    }

    pub(crate) fn with_letters(settings: MailboxSettings) -> Self {
        let clock = ManualClock::new(START);
        let memory = MemoryMailboxes::new(Arc::new(clock.clone()));
        let open = |text: &str, settings| memory.open(name(text), settings) as Arc<dyn MailboxBackend>;
        let mailboxes = Mailboxes {
            requests: open("requests", MailboxSettings::default()),
            letters: open("requests-dlq", settings),
            replies: open("replies", MailboxSettings::default()),
        };
        Self { clock, memory, mailboxes, attempts: Arc::default() }
    }

    /// A loop that notes its attempts. Requests are processed as their text says: `ok`, or `fail <kind>`.
    pub(crate) fn main_loop(&self, mailboxes: &Mailboxes) -> TextLoop {
        let attempts = Arc::clone(&self.attempts);
        self.loop_of(mailboxes, move |request: String, progress: Progress| {
            attempts.lock().unwrap().push((request.clone(), progress.work().attempt));
            async move {
                match request.split_once(' ') {
                    Some(("fail", kind)) => Err(failure(kind, "it does not work")),
                    Some(("panic", why)) => panic!("{why}"),
                    _ => Ok(format!("{request}, done")),
                }
            }
        })
    }

    pub(crate) fn loop_of<F, Fut>(&self, mailboxes: &Mailboxes, handle: F) -> TextLoop
    where
        F: Fn(String, Progress) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, Failure>> + Send + 'static,
    {
        let resolver = ReplyResolver::builder().register(Arc::clone(&mailboxes.replies)).build();
        let requests = Mailbox::new(Arc::clone(&mailboxes.requests)).with_resolver(resolver);
        MainLoop::on_clock(requests, Arc::new(self.clock.clone()), handle)
    }

    pub(crate) fn dlq(&self) -> DlqPolicy {
        DlqPolicy::new(Arc::clone(&self.mailboxes.letters))
    }

    pub(crate) fn attempts(&self) -> Vec<(String, u32)> {
        self.attempts.lock().unwrap().clone()
    }

    /// Sends a request that expects a reply, with the text as its id.
    pub(crate) async fn request(&self, text: &str) {
        let requests: Requests = Mailbox::new(Arc::clone(&self.mailboxes.requests));
        requests.send_expecting_reply(&LoopRequest::new(text, text.to_owned()), &name("replies")).await.unwrap();
    }

    pub(crate) async fn send_raw(&self, body: &'static [u8], reply_to: Option<&str>) {
        let message = NewMessage { reply_to: reply_to.map(name), ..NewMessage::new(body) };
        self.mailboxes.requests.send(message).await.unwrap();
    }

    pub(crate) async fn letters(&self) -> Vec<DeadLetter> {
        let letters = browse(&self.mailboxes.letters).await;
        letters.iter().map(|letter| DeadLetter::from_body(&letter.body).unwrap()).collect()
    }

    pub(crate) async fn replies(&self) -> Vec<LoopResult<String>> {
        let replies = browse(&self.mailboxes.replies).await;
        replies.iter().map(|reply| serde_json::from_slice(&reply.body).unwrap()).collect()
    }

    /// Advances the clock to the next delivery of requests, which is after this time.
    pub(crate) async fn advance_to_retry(&self, delay: Span) {
        let requests = &self.mailboxes.requests;
        until("a delayed request", async || requests.counts().await.unwrap().delayed > 0).await;
        self.clock.advance(delay.saturating_sub(Span::from_micros(1)));
        settled().await;
        assert_eq!(requests.counts().await.unwrap().delayed, 1, "the delay is over before {delay}");
        self.clock.advance(Span::from_micros(1));
    }

    pub(crate) async fn until_no_requests(&self) {
        until("no requests", async || self.mailboxes.requests.counts().await.unwrap().total() == 0).await;
    }
}

pub(crate) async fn browse(mailbox: &Arc<dyn MailboxBackend>) -> Vec<BrowsedMessage> {
    mailbox.browse(None, 1000).await.unwrap().messages
}

/// A loop that runs in a task.
pub(crate) struct RunningLoop {
    pub(crate) runnable: Arc<dyn Runnable>,
    pub(crate) task: JoinHandle<Result<RunReport, LoopError>>,
}

pub(crate) fn start(runnable: impl Runnable) -> RunningLoop {
    start_shared(Arc::new(runnable))
}

pub(crate) fn start_shared(runnable: Arc<dyn Runnable>) -> RunningLoop {
    let task = tokio::spawn({
        let runnable = Arc::clone(&runnable);
        async move { runnable.run(LoopTiming::ALONE).await }
    });
    RunningLoop { runnable, task }
}

impl RunningLoop {
    pub(crate) async fn stop(self) -> RunReport {
        self.runnable.shutdown(Span::from_secs(10));
        tokio::time::timeout(Duration::from_secs(20), self.task).await.unwrap().unwrap().unwrap()
    }
}

/// Waits for a condition, which must come true.
pub(crate) async fn until(what: &str, is_true: impl AsyncFn() -> bool) {
    let waiting = async {
        while !is_true().await {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(30), waiting).await.is_ok(), "{what} did not come");
}

/// Lets the loops do what they can do now. Only before asserting that something did not happen.
pub(crate) async fn settled() {
    tokio::time::sleep(Duration::from_millis(30)).await;
}

pub(crate) async fn receive_one(mailbox: &Arc<dyn MailboxBackend>) -> redrive_mailbox::RawMessage {
    mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0)
}

pub(crate) fn now(clock: &ManualClock) -> Time {
    clock.now()
}
