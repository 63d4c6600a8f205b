//! A memory mailbox as a source: the suite of sources, replies, and reply addresses that cannot be resolved.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt;
use redrive_core::{Category, DeadReason, Failure, Fingerprint, Outcome, Rule, Span, Time, Trigger};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_mailbox::conformance::{DeadQueueSourceHarness, FaultyMailbox, LetterPath, MailboxSourceHarness};
use redrive_mailbox::{
    DeadLetter, MailboxBackend, MailboxClaim, MailboxError, MailboxSettings, MailboxSource, MemoryMailboxes,
    NewMessage, ReceiveSpec, ReplyResolver,
};
use redrive_model::{Attempt, DestinationFilter};
use redrive_run::{ClaimSpec, DeadWork, FinishedDelivery, Resolution, SettleError, Source, SourceError};
use redrive_store::{Clock, ManualClock, Store};

use crate::loops::name;
use crate::memory::MemoryHarness;

mod atomic {
    redrive_run::source_conformance_tests!(crate::source::harness(crate::source::LetterPath::Atomic));
}

mod in_steps {
    redrive_run::source_conformance_tests!(crate::source::harness(crate::source::LetterPath::InSteps), letters);
}

mod dead_queue {
    redrive_run::source_conformance_tests!(crate::source::dead_queue_harness(), letters);
}

fn dead_queue_harness() -> DeadQueueSourceHarness<MemoryHarness> {
    let store = || Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap()) as Arc<dyn Store>;
    DeadQueueSourceHarness { harness: MemoryHarness, store }
}

fn harness(path: LetterPath) -> MailboxSourceHarness<MemoryHarness> {
    MailboxSourceHarness { harness: MemoryHarness, path }
}

struct Fixture {
    clock: ManualClock,
    memory: MemoryMailboxes,
    requests: Arc<dyn MailboxBackend>,
    replies: Arc<dyn MailboxBackend>,
    letters: Arc<dyn MailboxBackend>,
    source: MailboxSource,
}

fn fixture() -> Fixture {
    fixture_with(MailboxSettings::default())
}

/// A fixture with these settings of the reply mailbox.
fn fixture_with(reply_settings: MailboxSettings) -> Fixture {
    let clock = ManualClock::new(Time::from_secs(1_800_000_000));
    let memory = MemoryMailboxes::new(Arc::new(clock.clone()));
    let open = |text: &str, settings| memory.open(name(text), settings) as Arc<dyn MailboxBackend>;
    let (requests, replies) = (open("requests", MailboxSettings::default()), open("replies", reply_settings));
    let letters = open("dead", MailboxSettings::of_letters());
    let resolver = ReplyResolver::builder().register(Arc::clone(&replies)).build();
    let source = source_of(&requests, &letters, &clock).unwrap().replying_through(resolver);
    Fixture { clock, memory, requests, replies, letters, source }
}

fn source_of(
    requests: &Arc<dyn MailboxBackend>,
    letters: &Arc<dyn MailboxBackend>,
    clock: &ManualClock,
) -> Result<MailboxSource, MailboxError> {
    let clock: Arc<dyn Clock> = Arc::new(clock.clone());
    MailboxSource::new(Arc::clone(requests), Arc::clone(letters), Span::from_secs(60), clock)
}

fn claiming(count: usize) -> ClaimSpec {
    ClaimSpec { count, scope: DestinationFilter::all() }
}

const ONE: fn() -> ClaimSpec = || claiming(1);

fn acked_with(fence: MailboxClaim, result: &'static [u8]) -> FinishedDelivery<MailboxClaim> {
    let resolution = Resolution::Ack { result: Some(Bytes::from_static(result)) };
    FinishedDelivery { fence, resolution, attempt: None }
}

fn dead_with(fence: MailboxClaim, error: &str) -> FinishedDelivery<MailboxClaim> {
    let failure = Failure::new(error);
    let category = Category::Validation;
    let reason = DeadReason::Permanent { category, rule: Rule::Default };
    let dead = DeadWork { reason, category, fingerprint: Fingerprint::of(&failure), failure };
    let attempt = Attempt { error: error.to_owned(), ..Attempt::new(Trigger::Automatic, Outcome::Failure) };
    FinishedDelivery { fence, resolution: Resolution::DeadLetter(Box::new(dead)), attempt: Some(Box::new(attempt)) }
}

#[tokio::test]
async fn a_result_is_sent_to_the_reply_mailbox_once() {
    let Fixture { requests, replies, source, .. } = fixture();
    requests.send(NewMessage { reply_to: Some(name("replies")), ..NewMessage::new("1") }).await.unwrap();
    let got = source.claim(ONE()).await.unwrap().remove(0);
    let ack = acked_with(got.fence, b"\"done\"");
    assert_eq!(source.settle(std::slice::from_ref(&ack)).await, [Ok(())]);
    assert_eq!(source.settle(&[ack]).await, [Err(SettleError::Stale)]);
    let got = replies.receive(ReceiveSpec { max_messages: 10, ..ReceiveSpec::default() }).await.unwrap();
    assert_eq!(got.len(), 1);
    assert_eq!(&*got[0].body, b"\"done\"");
}

/// A holder whose lease ended must not answer: the next holder will.
#[tokio::test]
async fn a_holder_that_lost_its_claim_replies_nothing() {
    let Fixture { clock, requests, replies, source, .. } = fixture();
    requests.send(NewMessage { reply_to: Some(name("replies")), ..NewMessage::new("1") }).await.unwrap();
    let got = source.claim(ONE()).await.unwrap().remove(0);
    clock.advance(Span::from_secs(60));
    assert_eq!(source.settle(&[acked_with(got.fence, b"late")]).await, [Err(SettleError::Stale)]);
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

/// A letter is longer than its message: fields are added, and a body that is not JSON is stored in base64.
#[tokio::test]
async fn the_largest_message_can_be_dead_lettered() {
    let Fixture { requests, letters, source, .. } = fixture();
    let body = Bytes::from(vec![0xFF; MailboxSettings::BODY_BYTES_MAX]);
    requests.send(NewMessage::new(body.clone())).await.unwrap();
    let got = source.claim(ONE()).await.unwrap().remove(0);
    let settled = source.settle(&[dead_with(got.fence, &"\u{1}".repeat(1 << 20))]).await;
    assert_eq!(settled, [Ok(())]);
    assert_eq!(requests.counts().await.unwrap().total(), 0);
    let letter = letters.receive(ReceiveSpec::default()).await.unwrap().remove(0);
    let letter = DeadLetter::from_body(&letter.body).unwrap();
    assert_eq!(letter.body, body);
    assert!(letter.last_error.starts_with('\u{1}'));
}

#[tokio::test]
async fn a_mailbox_of_letters_that_is_too_small_for_its_source_is_rejected() {
    let Fixture { clock, memory, requests, .. } = fixture();
    let small = memory.open(name("small"), MailboxSettings::default()) as Arc<dyn MailboxBackend>;
    let error = source_of(&requests, &small, &clock).unwrap_err();
    assert!(matches!(error, MailboxError::InvalidParameter { .. }), "{error}");
}

/// The reply may never be sent: the message must neither keep its lease nor slow down the others.
#[tokio::test]
async fn a_reply_that_is_rejected_returns_its_message_after_a_delay() {
    let small = MailboxSettings { body_bytes_max: 3, ..MailboxSettings::default() };
    let full = MailboxSettings { capacity: std::num::NonZeroU64::new(1), ..MailboxSettings::default() };
    for (settings, error) in [(small, "body of"), (full, "full"), (MailboxSettings::default(), "closed")] {
        let Fixture { clock, requests, replies, source, .. } = fixture_with(settings);
        match error {
            "full" => drop(replies.send(NewMessage::new("1")).await.unwrap()),
            "closed" => replies.close(),
            _ => {}
        }
        requests.send(NewMessage { reply_to: Some(name("replies")), ..NewMessage::new("1") }).await.unwrap();
        for attempt in 1..=2 {
            let got = source.claim(ONE()).await.unwrap().remove(0);
            assert_eq!(got.work.attempt, attempt, "a rejected reply is charged");
            let [answer] = <[_; 1]>::try_from(source.settle(&[acked_with(got.fence, b"result")]).await).unwrap();
            assert!(matches!(&answer, Err(SettleError::Refused(text)) if text.contains(error)), "{answer:?}");
            assert_eq!(requests.counts().await.unwrap().delayed, 1);
            clock.advance(Span::from_secs(60 * u64::from(attempt)));
        }
        let got = requests.receive(ReceiveSpec::default()).await.unwrap().remove(0);
        assert!(got.last_error.as_deref().unwrap().contains(error), "{got:?}");
    }
}

#[tokio::test]
async fn a_source_without_a_resolver_fails_messages_that_expect_a_reply() {
    let Fixture { clock, requests, letters, .. } = fixture();
    let source = source_of(&requests, &letters, &clock).unwrap();
    requests.send(NewMessage { reply_to: Some(name("replies")), ..NewMessage::new("1") }).await.unwrap();
    let got = source.claim(ONE()).await.unwrap().remove(0);
    let failure = got.unrun.expect("the handler must not run");
    assert_eq!(failure.error.kind.unwrap().as_str(), "resolution");
}

/// Resolving a reply address may wait; a claim that is dropped meanwhile releases what it had received.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_claim_releases_its_messages_in_their_order() {
    let Fixture { clock, requests, letters, .. } = fixture();
    let slow = ReplyResolver::builder().factory(|_| Box::pin(std::future::pending())).allow_prefix("").build();
    let source = Arc::new(source_of(&requests, &letters, &clock).unwrap().replying_through(slow));
    for number in 0..10 {
        let message = NewMessage { reply_to: Some(name("slow")), ..NewMessage::new(number.to_string()) };
        requests.send(message).await.unwrap();
    }
    let claim = tokio::spawn(async move { source.claim(claiming(10)).await.map(|got| got.len()) });
    while requests.counts().await.unwrap().leased < 10 {
        tokio::task::yield_now().await;
    }
    claim.abort();
    while requests.counts().await.unwrap().pending < 10 {
        tokio::task::yield_now().await;
    }
    let got = requests.receive(ReceiveSpec { max_messages: 10, ..ReceiveSpec::default() }).await.unwrap();
    let bodies: Vec<&[u8]> = got.iter().map(|message| &*message.body).collect();
    assert_eq!(bodies, [b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"9"]);
    assert!(got.iter().all(|message| message.delivery_count == 1), "{got:?}");
}

/// Otherwise health would be degraded until the next message comes.
#[tokio::test]
async fn a_source_says_that_its_mailbox_is_back_although_it_is_empty() {
    let Fixture { clock, requests, letters, .. } = fixture();
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&requests)));
    let source = source_of(&(Arc::clone(&faulty) as Arc<dyn MailboxBackend>), &letters, &clock).unwrap();
    let claim = || source.claim(claiming(1));
    faulty.fail_next(1);
    assert!(matches!(claim().await, Err(SourceError::Unavailable(_))));
    assert!(claim().await.unwrap().is_empty());
    // From then on it waits again.
    let mut waiting = Box::pin(claim());
    assert!(waiting.as_mut().now_or_never().is_none());
    requests.send(NewMessage::new("a")).await.unwrap();
    assert_eq!(waiting.await.unwrap().len(), 1);
}
