//! A memory mailbox as a source: the suite of sources, replies, and reply addresses that cannot be resolved.

use std::sync::Arc;

use redrive_core::{Span, Time};
use redrive_mailbox::conformance::{LetterPath, MailboxSourceHarness};
use redrive_mailbox::{
    MailboxBackend, MailboxError, MailboxName, MailboxSettings, MailboxSource, MemoryMailboxes, NewMessage,
    ReceiveSpec, ReplyResolver,
};
use redrive_model::DestinationFilter;
use redrive_run::{ClaimSpec, FinishedDelivery, Resolution, SettleError, Source, SourceError};
use redrive_store::{Clock, ManualClock};

use crate::memory::MemoryHarness;

mod atomic {
    redrive_run::source_conformance_tests!(crate::source::harness(crate::source::LetterPath::Atomic));
}

mod in_steps {
    redrive_run::source_conformance_tests!(crate::source::harness(crate::source::LetterPath::InSteps));
}

fn harness(path: LetterPath) -> MailboxSourceHarness<MemoryHarness> {
    MailboxSourceHarness { harness: MemoryHarness, path }
}

struct Fixture {
    clock: ManualClock,
    requests: Arc<dyn MailboxBackend>,
    replies: Arc<dyn MailboxBackend>,
    source: MailboxSource,
}

fn name(text: &str) -> MailboxName {
    MailboxName::new(text).unwrap()
}

fn fixture() -> Fixture {
    let clock = ManualClock::new(Time::from_secs(1_800_000_000));
    let memory = MemoryMailboxes::new(Arc::new(clock.clone()));
    let open = |text: &str| memory.open(name(text), MailboxSettings::default()) as Arc<dyn MailboxBackend>;
    let (requests, replies) = (open("requests"), open("replies"));
    let resolver = ReplyResolver::builder().register(Arc::clone(&replies)).build();
    let shared: Arc<dyn Clock> = Arc::new(clock.clone());
    let source = MailboxSource::new(Arc::clone(&requests), open("dead"), Span::from_secs(60), shared).unwrap();
    Fixture { clock, requests, replies, source: source.replying_through(resolver) }
}

const ONE: fn() -> ClaimSpec = || ClaimSpec { count: 1, scope: DestinationFilter::all() };

#[tokio::test]
async fn a_result_is_sent_to_the_reply_mailbox_once() {
    let Fixture { requests, replies, source, .. } = fixture();
    requests.send(NewMessage { reply_to: Some(name("replies")), ..NewMessage::new("1") }).await.unwrap();
    let got = source.claim(ONE()).await.unwrap().remove(0);
    let result = Some(bytes::Bytes::from_static(b"\"done\""));
    let ack = FinishedDelivery { fence: got.fence, resolution: Resolution::Ack { result }, attempt: None };
    assert_eq!(source.settle(std::slice::from_ref(&ack)).await, [Ok(())]);
    assert_eq!(source.settle(&[ack]).await, [Err(SettleError::Stale)]);
    let got = replies.receive(ReceiveSpec { max_messages: 10, ..ReceiveSpec::default() }).await.unwrap();
    assert_eq!(got.len(), 1);
    assert_eq!(&*got[0].body, b"\"done\"");
}

/// A holder whose lease ended must not answer: the next holder will.
#[tokio::test]
async fn a_holder_that_lost_its_claim_replies_nothing() {
    let Fixture { clock, requests, replies, source } = fixture();
    requests.send(NewMessage { reply_to: Some(name("replies")), ..NewMessage::new("1") }).await.unwrap();
    let got = source.claim(ONE()).await.unwrap().remove(0);
    clock.advance(Span::from_secs(60));
    let result = Some(bytes::Bytes::from_static(b"late"));
    let ack = FinishedDelivery { fence: got.fence, resolution: Resolution::Ack { result }, attempt: None };
    assert_eq!(source.settle(&[ack]).await, [Err(SettleError::Stale)]);
    assert_eq!(replies.counts().await.unwrap().total(), 0);
}

#[tokio::test]
async fn a_reply_address_that_is_unknown_fails_the_message_without_an_attempt() {
    let Fixture { requests, source, .. } = fixture();
    requests.send(NewMessage { reply_to: Some(name("elsewhere")), ..NewMessage::new("1") }).await.unwrap();
    let got = source.claim(ONE()).await.unwrap().remove(0);
    let failure = got.unrun.expect("the handler must not run");
    assert_eq!(failure.error.kind.unwrap().as_str(), "resolution");
}

#[tokio::test]
async fn a_closed_mailbox_ends_the_source() {
    let Fixture { requests, source, .. } = fixture();
    let source = Arc::new(source);
    let claiming = tokio::spawn({
        let source = Arc::clone(&source);
        async move { source.claim(ONE()).await }
    });
    tokio::task::yield_now().await;
    requests.close();
    assert!(matches!(claiming.await.unwrap(), Err(SourceError::Closed)));
}

#[tokio::test]
async fn a_source_rejects_leases_out_of_range_and_letters_to_itself() {
    let Fixture { clock, requests, replies, .. } = fixture();
    for lease in [Span::ZERO, Span::from_hours(13)] {
        let source = MailboxSource::new(Arc::clone(&requests), Arc::clone(&replies), lease, Arc::new(clock.clone()));
        assert!(matches!(source, Err(MailboxError::InvalidParameter { .. })));
    }
    let to_itself = MailboxSource::new(Arc::clone(&requests), requests, Span::from_secs(1), Arc::new(clock));
    assert!(matches!(to_itself, Err(MailboxError::InvalidParameter { .. })));
}
