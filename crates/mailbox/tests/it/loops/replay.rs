//! Replays of dead letters.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::Span;
use redrive_mailbox::conformance::FaultyMailbox;
use redrive_mailbox::{
    DeadLetter, DlqConsumer, DlqPolicy, LetterAction, LoopRequest, LoopResult, Mailbox, MailboxBackend, MailboxError,
    MailboxSettings, MainLoop, MemoryMailboxes, MessageId, NewMessage, Replay, ReplayError, ReplyResolver,
};
use redrive_store::{Clock, SystemClock};
use tokio::time::Instant;

use super::fixture::{LoopFixture, browse, failure, name, receive_one, start, until};

/// Dead-letters a message, and returns the id of the letter.
async fn dead_letter(
    fixture: &LoopFixture,
    body: &'static [u8],
    error_type: &str,
    reply_to: Option<&str>,
) -> MessageId {
    fixture.send_raw(body, reply_to).await;
    dead_letter_next(fixture, error_type).await
}

async fn dead_letter_next(fixture: &LoopFixture, error_type: &str) -> MessageId {
    let got = receive_one(&fixture.mailboxes.requests).await;
    let now = super::fixture::now(&fixture.clock);
    let letter = DeadLetter::new(&name("requests"), &got, "failed", error_type.to_owned(), now);
    let message = letter.to_message(&name("requests")).unwrap();
    let id = message.id.clone().unwrap();
    fixture.mailboxes.requests.dead_letter(&got.handle, message, &*fixture.mailboxes.letters).await.unwrap();
    id
}

fn replay(fixture: &LoopFixture) -> Replay {
    let resolver = ReplyResolver::builder().register(Arc::clone(&fixture.mailboxes.replies)).build();
    Replay::new(Arc::clone(&fixture.mailboxes.letters), Arc::clone(&fixture.mailboxes.requests), resolver)
}

/// The cause of the failures persists: every replayed message comes back as another letter.
#[tokio::test]
async fn a_replay_beside_a_loop_that_always_fails_replays_each_letter_once() {
    const LETTERS: u64 = 250;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let memory = MemoryMailboxes::new(Arc::clone(&clock));
    let open = |text: &str| memory.open(name(text), MailboxSettings::of_letters()) as Arc<dyn MailboxBackend>;
    let (requests, letters) = (memory.open(name("requests"), MailboxSettings::default()), open("requests-dlq"));
    let requests = requests as Arc<dyn MailboxBackend>;
    let typed: Mailbox<LoopRequest<u32>, LoopResult<u32>> = Mailbox::new(Arc::clone(&requests));
    for number in 0..LETTERS {
        typed.send(&LoopRequest::new(number.to_string(), 1)).await.unwrap();
    }
    let main = MainLoop::new(typed, |_: u32, _| async { Err::<u32, _>(failure("validation", "still broken")) });
    let running = start(main.with_dlq(DlqPolicy::new(Arc::clone(&letters)).max_delivery_count(1)));
    let count = async || letters.counts().await.unwrap().total();
    until("all letters", async || count().await == LETTERS).await;
    let replay = Replay::new(Arc::clone(&letters), Arc::clone(&requests), ReplyResolver::default());
    let replaying = replay.matching(|_| {
        // The loop is as fast as the replay.
        std::thread::yield_now();
        true
    });
    let report = tokio::time::timeout(Duration::from_secs(20), replaying).await.expect("the replay ends").unwrap();
    assert_eq!((report.replayed, report.failed), (LETTERS, 0), "{report:?}");
    until("all letters again", async || count().await == LETTERS).await;
    running.stop().await;
}

/// How long the replay of this many letters takes.
async fn replay_time(count: u64) -> Duration {
    let memory = MemoryMailboxes::new(Arc::new(SystemClock));
    let requests = memory.open(name("requests"), MailboxSettings::default()) as Arc<dyn MailboxBackend>;
    let letters = memory.open(name("requests-dlq"), MailboxSettings::of_letters()) as Arc<dyn MailboxBackend>;
    requests.send(NewMessage::new("1")).await.unwrap();
    let message = receive_one(&requests).await;
    for number in 0..count {
        let mut letter = DeadLetter::new(&name("requests"), &message, "e", "timeout".to_owned(), message.enqueued_at);
        letter.message_id = number.to_string();
        letters.send(letter.to_message(&name("requests")).unwrap()).await.unwrap();
    }
    let begin = Instant::now();
    let report = Replay::new(letters, requests, ReplyResolver::default()).matching(|_| true).await.unwrap();
    assert_eq!(report.replayed, count, "{report:?}");
    begin.elapsed()
}

/// With 10 times as many letters, a page that looks at all of them would take 100 times as long for all pages.
#[tokio::test]
async fn the_time_of_a_replay_grows_with_its_letters_and_not_with_their_square() {
    let soak = std::env::var("REDRIVE_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1_u64);
    let (mut few, mut many) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        few = few.min(replay_time(1000 * soak).await);
        many = many.min(replay_time(10_000 * soak).await);
    }
    eprintln!("{} letters: {few:?}, ten times as many: {many:?}", 1000 * soak);
    assert!(many < few * 40, "{few:?}, and {many:?} for ten times as many letters");
}

#[tokio::test]
async fn a_replay_ends_when_the_source_is_down_and_holds_no_letter() {
    let fixture = LoopFixture::new();
    for body in [b"1", b"2", b"3"] {
        dead_letter(&fixture, body, "timeout", None).await;
    }
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.requests)));
    faulty.refuse_sends(true);
    let letters = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.letters)));
    let replay = Replay::new(letters, faulty, ReplyResolver::default());
    let report = replay.matching(|_| true).await.unwrap();
    assert!(matches!(report.ended_by, Some(MailboxError::Connection { .. })), "{report:?}");
    assert_eq!((report.replayed, report.failed), (0, 0));
    let counts = fixture.mailboxes.letters.counts().await.unwrap();
    assert_eq!((counts.pending, counts.leased), (3, 0), "the letter is released");
    assert!(browse(&fixture.mailboxes.letters).await.iter().all(|letter| letter.delivery_count == 0));
}

#[tokio::test]
async fn a_replayed_letter_is_its_message_again() {
    let fixture = LoopFixture::new();
    let body = b" {\"a\": 1.0}  \xFF";
    let letter = dead_letter(&fixture, body, "timeout", Some("replies")).await;
    let original = fixture.letters().await[0].message_id.clone();
    let new = replay(&fixture).one(&letter).await.unwrap();
    assert!(browse(&fixture.mailboxes.letters).await.is_empty());
    let got = receive_one(&fixture.mailboxes.requests).await;
    assert_eq!((&*got.body, got.delivery_count, got.reply_to.as_deref()), (&body[..], 1, Some("replies")));
    assert_eq!((got.id(), got.id().replayed()), (&new, Some(original.as_str())), "the link to the first message");
}

/// The ids of messages that fail again and again do not grow.
#[tokio::test]
async fn a_message_that_is_replayed_again_is_another_message_of_the_same_origin() {
    let fixture = LoopFixture::new();
    let mut letter = dead_letter(&fixture, b"1", "timeout", None).await;
    let original = fixture.letters().await[0].message_id.clone();
    let mut seen = Vec::new();
    for _ in 0..5 {
        fixture.clock.advance(Span::from_secs(1));
        let new = replay(&fixture).one(&letter).await.unwrap();
        assert_eq!(new.replayed(), Some(original.as_str()));
        assert!(!seen.contains(&new));
        seen.push(new);
        fixture.clock.advance(Span::from_secs(1));
        letter = dead_letter_next(&fixture, "timeout").await;
    }
}

#[tokio::test]
async fn letters_are_replayed_by_a_predicate_and_others_are_untouched() {
    let fixture = LoopFixture::new();
    for number in 0..30 {
        let error_type = ["timeout.read", "validation", "quota"][number % 3];
        dead_letter(&fixture, b"1", error_type, None).await;
    }
    fixture.mailboxes.letters.send(NewMessage::new("not a letter")).await.unwrap();
    let held = receive_one(&fixture.mailboxes.letters).await;
    assert_eq!(DeadLetter::from_body(&held.body).unwrap().last_error_type, "timeout.read");
    let report = replay(&fixture).matching(|letter| letter.last_error_type.starts_with("timeout")).await.unwrap();
    assert_eq!((report.replayed, report.skipped, report.leased, report.failed), (9, 20, 1, 1));
    assert!(matches!(&report.failures[..], [(_, ReplayError::Undecodable(_))]));
    assert_eq!(fixture.mailboxes.requests.counts().await.unwrap().pending, 9);
    let rest = browse(&fixture.mailboxes.letters).await;
    assert_eq!(rest.len(), 22);
    assert!(rest.iter().all(|letter| letter.delivery_count == u32::from(letter.is_leased)), "nothing else was leased");
}

/// The mailbox remembers the id of the replay: after a crash, in another process, and at the same time.
#[tokio::test]
async fn two_replays_of_a_letter_make_one_message() {
    let fixture = LoopFixture::new();
    dead_letter(&fixture, b"1", "timeout", None).await;
    let letter = fixture.letters().await.remove(0);
    let first = replay(&fixture).resend(&letter).await.unwrap();
    let second = replay(&fixture).resend(&letter).await.unwrap();
    assert_eq!(first, second);
    assert_eq!(replay(&fixture).matching(|_| true).await.unwrap().replayed, 1);
    assert_eq!(fixture.mailboxes.requests.counts().await.unwrap().total(), 1);
    assert!(fixture.letters().await.is_empty());
}

#[tokio::test]
async fn a_letter_whose_reply_mailbox_is_not_allowed_stays() {
    let fixture = LoopFixture::new();
    let letter = dead_letter(&fixture, b"1", "timeout", Some("elsewhere")).await;
    let refused = replay(&fixture).one(&letter).await;
    assert!(matches!(refused, Err(ReplayError::Mailbox(MailboxError::Resolution { .. }))), "{refused:?}");
    let rest = browse(&fixture.mailboxes.letters).await;
    assert_eq!((rest.len(), rest[0].delivery_count, rest[0].is_leased), (1, 0, false), "it is released");
    assert_eq!(fixture.mailboxes.requests.counts().await.unwrap().total(), 0);
}

#[tokio::test]
async fn a_letter_of_another_mailbox_or_none_is_not_replayed() {
    let fixture = LoopFixture::new();
    let letter = dead_letter(&fixture, b"1", "timeout", None).await;
    let other = Replay::new(
        Arc::clone(&fixture.mailboxes.letters),
        Arc::clone(&fixture.mailboxes.replies),
        ReplyResolver::default(),
    );
    assert!(matches!(other.one(&letter).await, Err(ReplayError::OtherSource { .. })));
    let gone = MessageId::new("gone").unwrap();
    assert_eq!(replay(&fixture).one(&gone).await, Err(ReplayError::NotAvailable(gone)));
    let held = receive_one(&fixture.mailboxes.letters).await;
    assert_eq!(replay(&fixture).one(&letter).await, Err(ReplayError::NotAvailable(letter)));
    fixture.mailboxes.letters.release(&held.handle).await.unwrap();
}

/// A consumer that replays what it is given.
#[tokio::test]
async fn a_consumer_replays_letters() {
    let fixture = LoopFixture::with_request("again").await;
    dead_letter_next(&fixture, "timeout").await;
    let again = replay(&fixture);
    let consumer = DlqConsumer::on_clock(
        Arc::clone(&fixture.mailboxes.letters),
        Arc::new(fixture.clock.clone()),
        move |letter, _| {
            let again = again.clone();
            async move { again.resend(&letter).await.map(|_| LetterAction::Replayed) }
        },
    );
    let consuming = start(consumer);
    until("no letters", async || browse(&fixture.mailboxes.letters).await.is_empty()).await;
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(fixture.dlq()));
    until("the reply", async || fixture.replies().await.len() == 1).await;
    assert_eq!(fixture.replies().await[0].output.as_deref(), Some("again, done"));
    consuming.stop().await;
    running.stop().await;
}
