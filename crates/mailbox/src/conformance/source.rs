//! A mailbox of any backend in the suite of sources of `redrive-run`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{AttemptLimit, Outcome, Policy, QueueName, Span, Time, Trigger};
use redrive_model::{Attempt, Content, CreateQueue, GetLetter, ListLetters, QueueSettings};
use redrive_run::conformance::{
    Abilities, Destinations, Fate, FoundLetter, NewWork, Records, SourceHarness, SourceUnderTest,
};
use redrive_run::{ClaimSpec, DeadQueue, Delivery, FinishedDelivery, LetterBox, SettleError, Source, SourceError};
use redrive_store::{ManualClock, Store};

use super::fixture::name;
use super::{BackendUnderTest, FaultyLetterBox, FaultyMailbox, MailboxHarness};
use crate::{
    DeadLetter, MailboxBackend, MailboxClaim, MailboxSettings, MailboxSource, MessageId, NewMessage, RawMessage,
    ReceiptHandle,
};

const LEASE: Span = Span::from_mins(5);

/// How letters are handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterPath {
    /// By the backend itself.
    Atomic,
    /// In steps, to a mailbox that can refuse letters.
    InSteps,
}

/// Opens a mailbox of a backend as a source.
#[derive(Debug)]
pub struct MailboxSourceHarness<H> {
    pub harness: H,
    pub path: LetterPath,
}

#[async_trait]
impl<H: MailboxHarness> SourceHarness for MailboxSourceHarness<H> {
    type Bench = MailboxSourceUnderTest;

    async fn open(&self, clock: ManualClock) -> MailboxSourceUnderTest {
        MailboxSourceUnderTest::open(&self.harness, clock, LettersUnderTest::Mailbox(self.path)).await
    }
}

/// Opens a mailbox of a backend as a source whose letters go to a dead queue.
#[derive(Debug)]
pub struct DeadQueueSourceHarness<H> {
    pub harness: H,
    /// Opens the store of the dead queue.
    pub store: fn() -> Arc<dyn Store>,
}

#[async_trait]
impl<H: MailboxHarness> SourceHarness for DeadQueueSourceHarness<H> {
    type Bench = MailboxSourceUnderTest;

    async fn open(&self, clock: ManualClock) -> MailboxSourceUnderTest {
        let store = (self.store)();
        let settings = QueueSettings::new(dead_queue());
        store.create_queue(CreateQueue { settings }).await.expect("the queue is new");
        let letter_box = Arc::new(FaultyLetterBox::new(Arc::clone(&store)));
        MailboxSourceUnderTest::open(&self.harness, clock, LettersUnderTest::Queue { store, letter_box }).await
    }
}

fn dead_queue() -> QueueName {
    QueueName::new("requests-dead").expect("a valid name")
}

/// Where letters go. It outlives a crash of the source.
enum LettersUnderTest {
    Mailbox(LetterPath),
    Queue { store: Arc<dyn Store>, letter_box: Arc<FaultyLetterBox> },
}

impl LettersUnderTest {
    const fn is_atomic(&self) -> bool {
        matches!(self, Self::Mailbox(LetterPath::Atomic))
    }
}

/// A mailbox as a source under test.
pub struct MailboxSourceUnderTest {
    bench: Box<dyn BackendUnderTest>,
    clock: ManualClock,
    letters: LettersUnderTest,
    opened: Mutex<OpenSource>,
}

impl std::fmt::Debug for MailboxSourceUnderTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailboxSourceUnderTest").field("is_atomic", &self.letters.is_atomic()).finish_non_exhaustive()
    }
}

/// The objects that a crash ends.
#[derive(Clone)]
struct OpenSource {
    mailbox: Arc<dyn MailboxBackend>,
    refusing: Option<Arc<FaultyMailbox>>,
    source: Arc<LossySource>,
}

impl OpenSource {
    async fn open(bench: &dyn BackendUnderTest, clock: ManualClock, letters: &LettersUnderTest) -> Self {
        let (requests, dead) = (name("requests"), name("requests-dlq"));
        let mailbox = bench.mailbox(&requests, MailboxSettings::default()).await;
        let (mut refusing, clock) = (None, Arc::new(clock));
        let source = match letters {
            LettersUnderTest::Mailbox(path) => {
                let mut letters = bench.letters(&requests, &dead, MailboxSettings::of_letters()).await;
                if *path == LetterPath::InSteps {
                    letters = Arc::clone(refusing.insert(Arc::new(FaultyMailbox::new(letters)))) as _;
                }
                MailboxSource::new(Arc::clone(&mailbox), letters, LEASE, clock)
            }
            LettersUnderTest::Queue { letter_box, .. } => {
                let letter_box = Arc::clone(letter_box) as Arc<dyn LetterBox>;
                let queue = DeadQueue::new(letter_box, dead_queue(), Policy::default());
                MailboxSource::with_dead_queue(Arc::clone(&mailbox), queue, LEASE, clock)
            }
        };
        let source = source.expect("the parameters are in range").to("warehouse");
        let source = Arc::new(LossySource { source, loses_next_answer: AtomicBool::new(false) });
        Self { mailbox, refusing, source }
    }
}

impl MailboxSourceUnderTest {
    async fn open(harness: &impl MailboxHarness, clock: ManualClock, letters: LettersUnderTest) -> Self {
        let bench = harness.open(clock.clone()).await;
        let opened = OpenSource::open(&*bench, clock.clone(), &letters).await;
        Self { bench, clock, letters, opened: Mutex::new(opened) }
    }

    /// All letters.
    async fn letters(&self) -> Vec<FoundLetter> {
        let LettersUnderTest::Queue { store, .. } = &self.letters else {
            let letters = self.bench.bodies(&name("requests-dlq")).await;
            let letters = letters.iter().map(|body| DeadLetter::from_body(body).expect("every letter can be read"));
            let attempt = Attempt::new(Trigger::Automatic, Outcome::Failure);
            let found = |letter: DeadLetter| FoundLetter {
                content: Content::of_payload(letter.body),
                attempts: vec![Attempt { error: letter.last_error, ..attempt.clone() }],
            };
            return letters.map(found).collect();
        };
        let list = ListLetters { queue: dead_queue(), statuses: Vec::new(), after: None, limit: 1000 };
        let mut found = Vec::new();
        for stored in store.letters(list).await.expect("the store is available") {
            let letter = stored.info.letter.expect("it is a letter").id;
            let letter = store.letter(GetLetter { queue: dead_queue(), letter }).await.expect("the letter exists");
            let attempts = letter.attempts.into_iter().collect();
            found.push(FoundLetter { content: Content::of_payload(letter.content.payload.clone()), attempts });
        }
        found
    }

    fn opened(&self) -> OpenSource {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, OpenSource> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SourceUnderTest for MailboxSourceUnderTest {
    type Fence = MailboxClaim;

    fn abilities(&self) -> Abilities {
        Abilities {
            lease: Some(LEASE),
            uncounts_releases: true,
            destinations: Destinations::One(Arc::from("warehouse")),
            carries_keys: false,
            carries_headers: false,
            records: Records::NewestError,
            can_lose_answers: true,
            can_refuse_letters: !self.letters.is_atomic(),
            notes_hand_over: !self.letters.is_atomic(),
            can_restart: true,
            remembers: true,
            ..Abilities::default()
        }
    }

    fn source(&self) -> Arc<dyn Source<Fence = MailboxClaim>> {
        self.opened().source
    }

    async fn put(&self, work: NewWork) {
        let mailbox = self.opened().mailbox;
        mailbox.send(NewMessage::new(work.content.payload)).await.expect("the message is accepted");
    }

    async fn fate(&self, payload: &Bytes) -> Fate {
        // Read in this order: a message moves to the letters, and never back.
        let is_open = self.bench.bodies(&name("requests")).await.contains(payload);
        let letters = self.letters().await;
        Fate { is_open, letters: letters.into_iter().filter(|letter| letter.content.payload == *payload).collect() }
    }

    async fn clock_moved(&self) {
        self.bench.clock_moved().await;
    }

    async fn lose_next_answer(&self) {
        self.opened().source.loses_next_answer.store(true, Ordering::Relaxed);
    }

    async fn refuse_letters(&self, refuse: bool) {
        if let Some(refusing) = self.opened().refusing {
            refusing.refuse_sends(refuse);
        }
        if let LettersUnderTest::Queue { letter_box, .. } = &self.letters {
            letter_box.set_down(refuse);
        }
    }

    /// The process ends, and its objects with it; the backend stays.
    async fn restart(&self) {
        let opened = OpenSource::open(&*self.bench, self.clock.clone(), &self.letters).await;
        *self.lock() = opened;
    }

    fn garbage_fence(&self) -> Option<MailboxClaim> {
        let id = MessageId::new("never sent").expect("a valid id");
        let message = RawMessage {
            handle: ReceiptHandle::new(id, Arc::from("nonce")),
            body: Bytes::new(),
            reply_to: None,
            delivery_count: 1,
            uncharged: 0,
            enqueued_at: Time::from_secs(0),
            first_received_at: Time::from_secs(0),
            deadline: Time::from_secs(0),
            lease: Span::ZERO,
            last_error: None,
            verdict: None,
            parts: Vec::new(),
        };
        Some(message.into())
    }
}

/// A source that can lose the answers of a call.
#[derive(Debug)]
struct LossySource {
    source: MailboxSource,
    loses_next_answer: AtomicBool,
}

#[async_trait]
impl Source for LossySource {
    type Fence = MailboxClaim;

    fn name(&self) -> &Arc<str> {
        self.source.name()
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        self.source.limit().await
    }

    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<MailboxClaim>>, SourceError> {
        self.source.claim(claim).await
    }

    async fn settle(&self, settlements: &[FinishedDelivery<MailboxClaim>]) -> Vec<Result<(), SettleError>> {
        let answers = self.source.settle(settlements).await;
        if self.loses_next_answer.swap(false, Ordering::Relaxed) {
            return vec![Err(SettleError::Unavailable("the answer was lost".to_owned())); settlements.len()];
        }
        answers
    }

    async fn extend(&self, fences: &[MailboxClaim]) -> Vec<Result<Option<Time>, SettleError>> {
        self.source.extend(fences).await
    }
}
