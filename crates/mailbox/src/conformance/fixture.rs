//! The fixture of a case: a backend, its clock, and shorthands for common steps.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redrive_core::{Span, Time};
use redrive_store::{Clock, ManualClock};
use tokio::task::JoinHandle;

use super::audited::{Audit, AuditedMailbox, Now};
use super::{BackendUnderTest, MailboxHarness};
use crate::{
    MailboxBackend, MailboxCounts, MailboxError, MailboxName, MailboxSettings, MessageId, NewMessage, RawMessage,
    ReceiptHandle, ReceiveSpec,
};

/// The lease of a receive, unless the case sets another one.
pub(super) const LEASE: Span = Span::from_secs(30);

const START: Time = Time::from_secs(1_800_000_000);

/// How long a case waits for an event that must come.
const EVENT_MAX: Duration = Duration::from_secs(20);

pub(super) struct MailboxFixture {
    bench: Box<dyn BackendUnderTest>,
    clock: ManualClock,
    audits: Mutex<HashMap<MailboxName, Arc<Mutex<Audit>>>>,
}

pub(super) type SharedMailbox = Arc<dyn MailboxBackend>;
pub(super) type Receiving = JoinHandle<Result<Vec<RawMessage>, MailboxError>>;

impl MailboxFixture {
    pub(super) async fn open(harness: &dyn MailboxHarness) -> Self {
        let clock = ManualClock::new(START);
        Self { bench: harness.open(clock.clone()).await, clock, audits: Mutex::default() }
    }

    pub(super) async fn mailbox(&self) -> SharedMailbox {
        self.mailbox_with(MailboxSettings::default()).await
    }

    pub(super) async fn mailbox_with(&self, settings: MailboxSettings) -> SharedMailbox {
        self.audited(self.bench.mailbox(&name("requests"), settings).await)
    }

    /// The mailbox `requests` with a message of this body, and the message as it was received.
    pub(super) async fn leased(&self, body: &str) -> (SharedMailbox, RawMessage) {
        let mailbox = self.mailbox().await;
        send(&mailbox, body).await;
        let message = receive_one(&mailbox).await;
        (mailbox, message)
    }

    pub(super) async fn replies(&self) -> SharedMailbox {
        self.audited(self.bench.mailbox(&name("replies"), MailboxSettings::default()).await)
    }

    /// The mailbox of letters of the mailbox `requests`.
    pub(super) async fn letters_with(&self, settings: MailboxSettings) -> SharedMailbox {
        self.audited(self.bench.letters(&name("requests"), &name("requests-dlq"), settings).await)
    }

    pub(super) async fn letters(&self) -> SharedMailbox {
        self.letters_with(MailboxSettings::of_letters()).await
    }

    fn audited(&self, inner: SharedMailbox) -> SharedMailbox {
        let mut audits = self.audits.lock().unwrap_or_else(PoisonError::into_inner);
        let audit = Arc::clone(audits.entry(inner.name().clone()).or_default());
        let clock = self.clock.clone();
        let now: Now = Arc::new(move || clock.now());
        Arc::new(AuditedMailbox { inner, audit, now })
    }

    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }

    pub(super) fn after(&self, span: Span) -> Time {
        self.now().saturating_add(span)
    }

    pub(super) async fn advance(&self, by: Span) {
        self.clock.advance(by);
        self.bench.clock_moved().await;
    }

    pub(super) fn due_messages(&self) -> u64 {
        self.bench.due_messages()
    }

    pub(super) async fn stored(&self, name: &MailboxName) -> Vec<String> {
        self.bench.stored(name).await
    }

    /// Starts a receive that waits, and returns when the backend knows that it does. A backend that does not count waiting
    /// receives gets time instead.
    pub(super) async fn wait(&self, mailbox: &SharedMailbox, spec: ReceiveSpec) -> Receiving {
        let name = mailbox.name().clone();
        let before = self.bench.waiting(&name).await;
        let mailbox = Arc::clone(mailbox);
        let task = tokio::spawn(async move { mailbox.receive(spec).await });
        match before {
            Some(before) => {
                let begun = async {
                    while !task.is_finished() && self.bench.waiting(&name).await <= Some(before) {
                        tokio::time::sleep(Duration::from_millis(1)).await;
                    }
                };
                assert!(tokio::time::timeout(EVENT_MAX, begun).await.is_ok(), "a receive did not begin to wait");
            }
            None => self.let_run().await,
        }
        assert!(!task.is_finished(), "a receive returned although there is no message");
        task
    }

    /// Lets other tasks and the backend run for a moment. Use it only before asserting that something did not happen.
    pub(super) async fn let_run(&self) {
        tokio::time::sleep(Duration::from_millis(30)).await;
    }

    /// The answer of a receive that must return now.
    pub(super) async fn received(&self, task: Receiving) -> Vec<RawMessage> {
        let received = tokio::time::timeout(EVENT_MAX, task).await.expect("a waiting receive was not woken");
        received.expect("the receive did not panic").expect("the backend is available")
    }
}

pub(super) fn name(text: &str) -> MailboxName {
    MailboxName::new(text).expect("a valid name")
}

pub(super) fn id(text: &str) -> MessageId {
    MessageId::new(text).expect("a valid id")
}

pub(super) async fn send(mailbox: &SharedMailbox, body: &str) -> MessageId {
    mailbox.send(NewMessage::new(body.to_owned())).await.expect("the message is accepted")
}

pub(super) async fn send_all<B: Into<String>>(mailbox: &SharedMailbox, bodies: impl IntoIterator<Item = B>) {
    for body in bodies {
        send(mailbox, &body.into()).await;
    }
}

pub(super) async fn send_as(mailbox: &SharedMailbox, text: &str) -> Result<MessageId, MailboxError> {
    mailbox.send(NewMessage { id: Some(id(text)), ..NewMessage::new(text.to_owned()) }).await
}

pub(super) const fn at_most(max_messages: u32) -> ReceiveSpec {
    ReceiveSpec { max_messages, visibility: LEASE, wait: Span::ZERO }
}

pub(super) const fn waiting(wait: Span) -> ReceiveSpec {
    ReceiveSpec { max_messages: 10, visibility: LEASE, wait }
}

pub(super) async fn receive(mailbox: &SharedMailbox, max_messages: u32) -> Vec<RawMessage> {
    mailbox.receive(at_most(max_messages)).await.expect("the backend is available")
}

/// Receives one message, which must be there.
pub(super) async fn receive_one(mailbox: &SharedMailbox) -> RawMessage {
    receive(mailbox, 1).await.pop().expect("a message is visible")
}

pub(super) async fn assert_nothing_visible(mailbox: &SharedMailbox) {
    assert_eq!(receive(mailbox, 10).await, [], "nothing must be visible");
}

pub(super) fn bodies(messages: &[RawMessage]) -> Vec<&str> {
    messages.iter().map(|message| std::str::from_utf8(&message.body).expect("bodies of cases are text")).collect()
}

pub(super) async fn counts(mailbox: &SharedMailbox) -> (u64, u64, u64) {
    let MailboxCounts { pending, leased, delayed } = mailbox.counts().await.expect("the backend is available");
    (pending, leased, delayed)
}

pub(super) fn stale<T>(handle: &ReceiptHandle) -> Result<T, MailboxError> {
    Err(MailboxError::ReceiptHandleExpired(handle.id().clone()))
}

#[track_caller]
pub(super) fn assert_invalid<T: std::fmt::Debug>(answer: &Result<T, MailboxError>, parameter: &str) {
    let is_invalid =
        matches!(answer, Err(MailboxError::InvalidParameter { parameter: found, .. }) if *found == parameter);
    assert!(is_invalid, "{answer:?}");
}

/// The body of a letter is free; its id is derived from the message.
pub(super) fn letter_about(message: &RawMessage, body: &str) -> NewMessage {
    let letter_id = MessageId::of_letter(&name("requests"), message.id(), message.enqueued_at);
    NewMessage { id: Some(letter_id), ..NewMessage::new(body.to_owned()) }
}
