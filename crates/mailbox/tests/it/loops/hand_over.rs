//! The hand-over to dead letters, with crashes and outages.

use std::num::NonZeroU64;
use std::sync::Arc;

use redrive_core::Span;
use redrive_mailbox::conformance::{FaultyMailbox, LetterPath, crash_after_each_step};
use redrive_mailbox::{HandOverSpec, MailboxBackend, MailboxSettings, NewMessage, ReplyState, Verdict};

use super::fixture::{LoopFixture, Mailboxes, name, settled, start, until};
use crate::memory::MemoryHarness;

/// Extension at the start, beginning of the hand-over, letter, reply, deletion.
#[tokio::test]
async fn c_a_crash_after_each_step_of_the_hand_over_makes_one_letter_and_one_reply() {
    let interrupted = crash_after_each_step(&MemoryHarness, LetterPath::Atomic, true).await;
    assert!(interrupted >= 5, "only {interrupted} steps were interrupted");
}

#[tokio::test]
async fn c_a_crash_after_each_step_of_a_hand_over_without_a_reply_makes_one_letter() {
    let interrupted = crash_after_each_step(&MemoryHarness, LetterPath::Atomic, false).await;
    assert!(interrupted >= 2, "only {interrupted} steps were interrupted");
}

/// Extension at the start, beginning of the hand-over, letter, deletion.
#[tokio::test]
async fn c_a_crash_after_each_step_of_a_hand_over_to_another_backend_makes_one_letter() {
    let interrupted = crash_after_each_step(&MemoryHarness, LetterPath::InSteps, false).await;
    assert!(interrupted >= 4, "only {interrupted} steps were interrupted");
    let interrupted = crash_after_each_step(&MemoryHarness, LetterPath::InSteps, true).await;
    assert!(interrupted >= 5, "only {interrupted} steps were interrupted");
}

/// Deliveries that repeat only the hand-over are no attempts, also if they crash.
#[tokio::test]
async fn crashes_during_the_hand_over_are_not_counted_as_attempts() {
    let fixture = LoopFixture::with_request("never run").await;
    let requests = &fixture.mailboxes.requests;
    let lease = Span::from_secs(30);
    for attempt in 1..=2 {
        let got = super::fixture::receive_one(requests).await;
        assert_eq!(got.attempt(), attempt);
        fixture.clock.advance(lease);
    }
    let failed = super::fixture::receive_one(requests).await;
    let (error, verdict) = ("it does not work".to_owned(), Verdict::failed("validation", 3));
    requests.begin_hand_over(&failed.handle, HandOverSpec { lease, error, verdict }).await.unwrap();
    for _ in 0..2 {
        fixture.clock.advance(lease);
        super::fixture::receive_one(requests).await;
    }
    fixture.clock.advance(lease);
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(fixture.dlq()));
    fixture.until_no_requests().await;
    let letter = fixture.letters().await.remove(0);
    assert_eq!((letter.delivery_count, letter.last_error_type.as_str()), (3, "validation"));
    let replies = fixture.replies().await;
    assert_eq!(replies[0].error.as_deref(), Some("Dead-lettered after 3 attempts: it does not work"));
    assert!(fixture.attempts().is_empty());
    running.stop().await;
}

/// The delay of the runner is the same for all messages and begins again after each letter.
#[tokio::test]
async fn a_hand_over_that_fails_again_and_again_is_repeated_less_and_less_often() {
    let fixture = LoopFixture::new();
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.letters)));
    faulty.refuse_sends(true);
    fixture.request("fail validation").await;
    let dlq = redrive_mailbox::DlqPolicy::new(Arc::clone(&faulty) as Arc<dyn MailboxBackend>);
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(dlq.max_delivery_count(1)));
    let requests = &fixture.mailboxes.requests;
    let deliveries = async || super::fixture::browse(requests).await[0].delivery_count;
    for delivery in 1..=9_u32 {
        until("a delayed request", async || {
            deliveries().await == delivery && requests.counts().await.unwrap().delayed == 1
        })
        .await;
        // The first delay is that of the runner.
        let delay = if delivery == 1 { Span::from_secs(5) } else { Span::from_secs(1 << (delivery - 2)) };
        if delivery > 5 {
            fixture.clock.advance(delay.saturating_sub(Span::from_millis(1)));
            settled().await;
            assert_eq!(deliveries().await, delivery, "not before {delay}");
            fixture.clock.advance(Span::from_millis(1));
        } else {
            fixture.clock.advance(delay.max(Span::from_secs(5)));
        }
    }
    running.runnable.shutdown(Span::ZERO);
    running.task.abort();
}

/// The answer to each step is lost, and the step is repeated by the same process.
#[tokio::test]
async fn c_lost_answers_make_no_second_letter_and_no_second_reply() {
    for (requests, letters, replies) in [(1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 1), (3, 1, 1)] {
        let fixture = LoopFixture::with_request("fail validation").await;
        let faulty = |inner: &Arc<dyn MailboxBackend>| Arc::new(FaultyMailbox::new(Arc::clone(inner)));
        let (r, l, p) = (
            faulty(&fixture.mailboxes.requests),
            faulty(&fixture.mailboxes.letters),
            faulty(&fixture.mailboxes.replies),
        );
        r.lose_next_answers(requests);
        l.lose_next_answers(letters);
        p.lose_next_answers(replies);
        let mailboxes = Mailboxes { requests: r, letters: Arc::clone(&l) as Arc<dyn MailboxBackend>, replies: p };
        let dlq = redrive_mailbox::DlqPolicy::new(l).include(["validation".parse().unwrap()]);
        let running = start(fixture.main_loop(&mailboxes).with_dlq(dlq));
        until("the end of the request", async || {
            // The delays of repetitions are short.
            fixture.clock.advance(Span::from_millis(100));
            fixture.mailboxes.requests.counts().await.unwrap().total() == 0
        })
        .await;
        assert_eq!((fixture.letters().await.len(), fixture.replies().await.len()), (1, 1));
        assert_eq!(fixture.attempts().len(), 1);
        running.runnable.shutdown(Span::ZERO);
        running.task.abort();
    }
}

/// The letters are refused: the request waits, and only its hand-over is repeated.
async fn letters_unavailable(fixture: &LoopFixture, letters: Arc<dyn MailboxBackend>, restore: impl AsyncFnOnce()) {
    fixture.request("fail validation.order").await;
    let dlq = redrive_mailbox::DlqPolicy::new(letters).include(["validation".parse().unwrap()]);
    let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(dlq));
    let requests = &fixture.mailboxes.requests;
    until("a delayed request", async || requests.counts().await.unwrap().delayed == 1).await;
    for _ in 0..5 {
        fixture.clock.advance(Span::from_secs(5));
        settled().await;
        assert!(fixture.replies().await.is_empty(), "no reply before the letter");
    }
    assert_eq!(fixture.attempts().len(), 1, "the handler runs once");
    let trouble = running.runnable.trouble().await.expect("health is degraded");
    assert!(trouble.starts_with("handing letters over fails since"), "{trouble}");
    // The loop is alive.
    fixture.request("another").await;
    until("another reply", async || fixture.replies().await.len() == 1).await;
    assert_eq!(fixture.replies().await[0].output.as_deref(), Some("another, done"));
    restore().await;
    until("the letter", async || {
        fixture.clock.advance(Span::from_secs(5));
        requests.counts().await.unwrap().total() == 0
    })
    .await;
    let replies = fixture.replies().await;
    let errors: Vec<&str> = replies.iter().filter_map(|reply| reply.error.as_deref()).collect();
    assert_eq!(errors, ["Dead-lettered after 1 attempts: it does not work"]);
    assert_eq!(fixture.attempts().len(), 2, "the handler is not run again");
    assert_eq!(running.runnable.trouble().await, None);
    running.stop().await;
}

#[tokio::test]
async fn d_letters_that_are_down_delay_the_hand_over_and_nothing_else() {
    let fixture = LoopFixture::new();
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.letters)));
    faulty.refuse_sends(true);
    letters_unavailable(&fixture, Arc::clone(&faulty) as Arc<dyn MailboxBackend>, async || faulty.refuse_sends(false))
        .await;
    let letter = fixture.letters().await.remove(0);
    assert_eq!((letter.last_error_type.as_str(), letter.delivery_count), ("validation.order", 1));
}

#[tokio::test]
async fn d_letters_that_are_full_delay_the_hand_over_and_nothing_else() {
    let one = MailboxSettings { capacity: NonZeroU64::new(1), ..MailboxSettings::of_letters() };
    let fixture = LoopFixture::with_letters(one);
    let letters = Arc::clone(&fixture.mailboxes.letters);
    letters.send(NewMessage::new("an earlier letter")).await.unwrap();
    letters_unavailable(&fixture, Arc::clone(&letters), async || {
        letters.purge().await.unwrap();
    })
    .await;
    assert_eq!(fixture.letters().await.len(), 1);
}

/// The state between two hand-overs is in the message: its verdict, with the type and text of the error.
#[tokio::test]
async fn a_message_that_waits_for_its_hand_over_knows_why_it_failed() {
    let fixture = LoopFixture::new();
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.letters)));
    faulty.refuse_sends(true);
    for expects_reply in [true, false] {
        let reply_to = expects_reply.then_some("replies");
        fixture.send_raw(b"{\"request_id\":\"1\",\"request\":\"fail quota.tokens\"}", reply_to).await;
        let dlq = redrive_mailbox::DlqPolicy::new(Arc::clone(&faulty) as Arc<dyn MailboxBackend>);
        let running = start(fixture.main_loop(&fixture.mailboxes).with_dlq(dlq.max_delivery_count(1)));
        let requests = &fixture.mailboxes.requests;
        until("a delayed request", async || requests.counts().await.unwrap().delayed == 1).await;
        running.stop().await;
        fixture.clock.advance(Span::from_secs(5));
        let got = super::fixture::receive_one(requests).await;
        assert_eq!(got.verdict, Some(Verdict::failed("quota.tokens", 1)));
        assert_eq!(got.last_error.as_deref(), Some("it does not work"));
        requests.acknowledge(&got.handle).await.unwrap();
    }
}

/// The reply mailbox accepts no text of this length: the letter says that the sender does not know.
#[tokio::test]
async fn a_reply_that_can_never_be_sent_marks_the_letter() {
    let fixture = LoopFixture::new();
    let tiny = MailboxSettings { body_bytes_max: 10, ..MailboxSettings::default() };
    let replies = fixture.memory.open(name("tiny"), tiny) as Arc<dyn MailboxBackend>;
    let mailboxes = Mailboxes { replies, ..fixture.mailboxes.clone() };
    fixture.send_raw(b"{\"request_id\":\"1\",\"request\":\"fail validation\"}", Some("tiny")).await;
    let dlq = fixture.dlq().include(["validation".parse().unwrap()]);
    let running = start(fixture.main_loop(&mailboxes).with_dlq(dlq));
    fixture.until_no_requests().await;
    assert_eq!(fixture.letters().await[0].reply_state, ReplyState::FollowsLetter);
    let letter = super::fixture::receive_one(&fixture.mailboxes.letters).await;
    let note = letter.last_error.as_deref().expect("the letter is marked");
    assert!(note.starts_with("the last reply cannot be sent: invalid body of"), "{note}");
    assert_eq!((letter.delivery_count, letter.attempt()), (2, 1), "the mark is no attempt of a consumer");
    running.stop().await;
}

/// A worker that lost its lease says nothing: the next holder does.
#[tokio::test]
async fn a_stale_worker_writes_no_letter_and_no_reply() {
    let fixture = LoopFixture::with_request("fail validation").await;
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.requests)));
    let (expiring, attempts) = (Arc::clone(&faulty), Arc::clone(&fixture.attempts));
    let mailboxes = Mailboxes { requests: faulty, ..fixture.mailboxes.clone() };
    let main = fixture.loop_of(&mailboxes, move |_, _| {
        let (expiring, attempts) = (Arc::clone(&expiring), Arc::clone(&attempts));
        async move {
            attempts.lock().unwrap().push((String::new(), 0));
            expiring.expire_all();
            Err(super::fixture::failure("validation", "too late"))
        }
    });
    let running = start(main.with_dlq(fixture.dlq().include(["validation".parse().unwrap()])));
    until("an attempt", async || fixture.attempts().len() == 1).await;
    let report = running.stop().await;
    assert_eq!((report.lost, report.dead_lettered), (1, 0));
    assert!(fixture.letters().await.is_empty() && fixture.replies().await.is_empty());
}
