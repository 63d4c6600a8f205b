//! The hand-over of messages to a dead queue, with crashes and outages.

use std::sync::Arc;

use redrive_core::{Category, Evidence, Span, Strategy, Time};
use redrive_mailbox::conformance::{CrashPoint, FaultyMailbox};
use redrive_mailbox::{MailboxBackend, MessageId, NackSpec, NewMessage, Verdict};
use redrive_model::{FullLetter, GetStats, Groups, OnFull};

use super::fixture::{QueueFixture, crashing_letter_box, info};
use crate::loops::fixture::{Mailboxes, START, failure, receive_one, settled, start, until};

/// The error and the type of the letter's only attempt.
fn only_error(letter: &FullLetter) -> (&str, Option<&str>) {
    assert_eq!(letter.attempts.len(), 1);
    (&letter.attempts[0].error, letter.attempts[0].error_type.as_deref())
}

fn metadata<'l>(letter: &'l FullLetter, key: &str) -> Option<&'l serde_json::Value> {
    letter.context.as_ref().unwrap().metadata.get(key)
}

#[tokio::test]
async fn a_failed_message_becomes_a_letter_with_all_that_is_known() {
    let fixture = QueueFixture::new().await;
    let body = b" {\"request_id\":\"r-7\",\"trace_id\":\"t-1\",  \"request\":\"fail quota.tokens\"}";
    fixture.loops.send_raw(body, Some("replies")).await;
    fixture.loops.clock.advance(Span::from_secs(2));
    let main = fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq().max_delivery_count(2));
    let running = start(main);
    fixture.loops.advance_to_retry(Span::from_secs(60)).await;
    fixture.loops.until_no_requests().await;
    let letter = fixture.only_letter().await;
    assert_eq!(&*letter.content.payload, body, "byte for byte");
    let context = letter.context.as_ref().unwrap();
    let origin = &context.origin;
    assert_eq!((&*origin.transport, &*origin.name, origin.replays), ("mailbox", "requests", 0));
    assert_eq!((origin.timestamp, origin.offset), (Some(START), Some(START.as_micros())));
    let message_id = origin.message_id.as_deref().unwrap();
    let source_id = format!("requests/{message_id}@{}", START.as_micros());
    assert_eq!(letter.info.source_id.as_deref(), Some(source_id.as_str()));
    assert_eq!(context.reply_to.as_deref(), Some("replies"));
    assert_eq!((context.request_id.as_deref(), context.trace_id.as_deref()), (Some("r-7"), Some("t-1")));
    assert_eq!(only_error(&letter), ("it does not work", Some("quota.tokens")));
    let first_received = START.saturating_add(Span::from_secs(2));
    assert_eq!(metadata(&letter, "first_received_at").unwrap(), &first_received.to_string());
    assert_eq!(metadata(&letter, "delivery_count").unwrap(), 2);
    assert_eq!(metadata(&letter, "reply_state").unwrap(), "follows_letter");
    let attempt = &letter.attempts[0];
    assert_eq!(attempt.ended_at, Some(first_received.saturating_add(Span::from_secs(60))));
    let replies = fixture.loops.replies().await;
    assert_eq!(replies.len(), 1);
    assert_eq!(replies[0].error.as_deref(), Some("Dead-lettered after 2 attempts: it does not work"));
    assert_eq!(running.runnable.dlq().map(|alarm| alarm.threshold), None);
    running.stop().await;
}

#[tokio::test]
async fn letters_of_messages_are_listed_grouped_and_counted_as_any_letter() {
    let fixture = QueueFixture::new().await;
    let running = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    for request in ["fail validation", "fail validation.order", "fail validation"] {
        fixture.loops.request(request).await;
    }
    fixture.loops.until_no_requests().await;
    let groups = Groups { queue: fixture.queue.clone(), after: None, limit: 10 };
    let mut counts: Vec<u32> =
        fixture.store.failure_groups(groups).await.unwrap().iter().map(|group| group.counts.pending).collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 2]);
    let stats = fixture.store.stats(GetStats { queue: fixture.queue.clone() }).await.unwrap();
    assert_eq!((stats.letters.live(), stats.failure_groups), (3, 2));
    assert_eq!(fixture.letters().await.len(), 3);
    running.stop().await;
}

#[tokio::test]
async fn a_a_garbage_body_becomes_a_letter_with_identical_bytes() {
    let fixture = QueueFixture::new().await;
    fixture.loops.send_raw(b"\xFF\x00{", None).await;
    fixture.loops.request("another").await;
    let running = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    fixture.loops.until_no_requests().await;
    let letter = fixture.only_letter().await;
    assert_eq!(&*letter.content.payload, b"\xFF\x00{");
    assert_eq!(letter.attempts[0].error_type.as_deref(), Some("serialization.body"));
    assert_eq!(letter.context.as_ref().unwrap().request_id, None);
    assert_eq!(metadata(&letter, "reply_state"), None);
    assert_eq!(fixture.loops.replies().await[0].output.as_deref(), Some("another, done"));
    running.stop().await;
}

/// The error of the last attempt, not the statement that there were too many.
#[tokio::test]
async fn b_a_message_that_kills_its_worker_becomes_a_letter_about_its_last_error() {
    let fixture = QueueFixture::new().await;
    fixture.loops.request("fail provider").await;
    let requests = &fixture.mailboxes().requests;
    let first = receive_one(requests).await;
    let nack = NackSpec { last_error: Some("out of memory".to_owned()), ..NackSpec::default() };
    requests.nack(&first.handle, nack).await.unwrap();
    receive_one(requests).await;
    fixture.loops.clock.advance(Span::from_secs(30));
    let main = fixture.loops.main_loop(fixture.mailboxes());
    let running = start(main.with_dlq(fixture.dlq().max_delivery_count(2)));
    fixture.loops.until_no_requests().await;
    let letter = fixture.only_letter().await;
    assert_eq!(only_error(&letter), ("out of memory", Some("delivery_count_exceeded")));
    assert_eq!(metadata(&letter, "delivery_count").unwrap(), 2);
    assert!(fixture.loops.attempts().is_empty(), "the handler does not run again");
    running.stop().await;
}

/// Extension at the start, beginning of the hand-over, letter, reply, deletion.
#[tokio::test]
async fn c_a_crash_after_each_step_makes_one_letter_and_one_reply() {
    for expects_reply in [true, false] {
        let mut operations = 0;
        while crash_after(operations, expects_reply).await {
            operations += 1;
        }
        assert_eq!(operations, 4 + u32::from(expects_reply), "interrupted steps");
    }
}

/// Returns whether the first process crashed.
async fn crash_after(operations: u32, expects_reply: bool) -> bool {
    let fixture = QueueFixture::new().await;
    let reply_to = expects_reply.then_some("replies");
    fixture.loops.send_raw(b"{\"request_id\":\"1\",\"request\":\"fail validation.order\"}", reply_to).await;
    let crash = CrashPoint::after(operations);
    let wrap = |inner: &Arc<dyn MailboxBackend>| -> Arc<dyn MailboxBackend> {
        Arc::new(FaultyMailbox::crashing(Arc::clone(inner), crash.clone()))
    };
    let Mailboxes { requests, letters, replies } = fixture.mailboxes();
    let crashing = Mailboxes { requests: wrap(requests), letters: Arc::clone(letters), replies: wrap(replies) };
    let letter_box = Arc::new(crashing_letter_box(&fixture, crash.clone()));
    let first = start(fixture.loops.main_loop(&crashing).with_dlq(fixture.dlq_through(letter_box)));
    let is_empty = async || requests.counts().await.unwrap().total() == 0;
    until("the crash or the end", async || crash.has_crashed() || is_empty().await).await;
    first.task.abort();
    let (letters, replies) = (fixture.letters().await.len(), fixture.loops.replies().await.len());
    assert!(replies <= letters, "after {operations} operations: a reply before its letter");
    assert!(letters == 1 || !is_empty().await, "after {operations} operations: neither message nor letter");
    let attempts = fixture.loops.attempts().len();
    if crash.has_crashed() {
        fixture.loops.clock.advance(Span::from_hours(1));
        let second = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
        fixture.loops.until_no_requests().await;
        second.stop().await;
        if letters == 1 {
            assert_eq!(fixture.loops.attempts().len(), attempts, "the handler ran after the letter");
        }
    }
    let letter = fixture.only_letter().await;
    assert_eq!(only_error(&letter), ("it does not work", Some("validation.order")), "after {operations} operations");
    assert_eq!(fixture.loops.replies().await.len(), usize::from(expects_reply), "after {operations} operations");
    crash.has_crashed()
}

#[tokio::test]
async fn c_lost_answers_of_the_dead_queue_make_no_second_letter() {
    let fixture = QueueFixture::new().await;
    fixture.loops.request("fail validation").await;
    fixture.letter_box.lose_next_answers(2);
    let running = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    until("the end of the request", async || {
        fixture.loops.clock.advance(Span::from_millis(500));
        fixture.mailboxes().requests.counts().await.unwrap().total() == 0
    })
    .await;
    assert_eq!(only_error(&fixture.only_letter().await), ("it does not work", Some("validation")));
    assert_eq!((fixture.loops.replies().await.len(), fixture.loops.attempts().len()), (1, 1));
    running.stop().await;
}

/// The dead queue refuses letters: the request waits, and only its hand-over is repeated.
async fn letters_unavailable(fixture: &QueueFixture, restore: impl AsyncFnOnce()) {
    fixture.loops.request("fail validation.order").await;
    let running = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    let requests = &fixture.mailboxes().requests;
    until("a delayed request", async || requests.counts().await.unwrap().delayed == 1).await;
    for _ in 0..5 {
        fixture.loops.clock.advance(Span::from_secs(5));
        settled().await;
        assert!(fixture.loops.replies().await.is_empty(), "no reply before the letter");
    }
    let trouble = running.runnable.trouble().await.expect("health is degraded");
    assert!(trouble.starts_with("handing letters over fails since"), "{trouble}");
    fixture.loops.request("another").await;
    until("another reply", async || fixture.loops.replies().await.len() == 1).await;
    restore().await;
    until("the letter", async || {
        fixture.loops.clock.advance(Span::from_secs(5));
        requests.counts().await.unwrap().total() == 0
    })
    .await;
    assert_eq!(fixture.loops.replies().await.len(), 2);
    assert_eq!(fixture.loops.attempts().len(), 2, "the handler is not run again");
    assert_eq!(running.runnable.trouble().await, None);
    running.stop().await;
}

#[tokio::test]
async fn d_a_dead_queue_that_is_down_delays_the_hand_over_and_nothing_else() {
    let fixture = QueueFixture::new().await;
    fixture.letter_box.set_down(true);
    letters_unavailable(&fixture, async || fixture.letter_box.set_down(false)).await;
    let letter = fixture.only_letter().await;
    assert_eq!(only_error(&letter), ("it does not work", Some("validation.order")));
    assert_eq!(metadata(&letter, "delivery_count").unwrap(), 1);
}

#[tokio::test]
async fn d_a_dead_queue_that_is_full_delays_the_hand_over_and_nothing_else() {
    let fixture = QueueFixture::with(|settings| {
        settings.letters.max_size = Some(1);
        settings.letters.on_full = Some(OnFull::Reject);
    })
    .await;
    fixture.loops.request("fail validation.earlier").await;
    let first = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    fixture.loops.until_no_requests().await;
    first.stop().await;
    let earlier = fixture.only_letter().await;
    fixture.mailboxes().replies.purge().await.unwrap();
    fixture.loops.attempts.lock().unwrap().clear();
    letters_unavailable(&fixture, async || fixture.purge(&earlier).await).await;
    assert_eq!(only_error(&fixture.only_letter().await), ("it does not work", Some("validation.order")));
}

/// An error may have its category by evidence that the message does not store.
#[tokio::test]
async fn a_letter_that_had_to_wait_has_the_category_of_its_failure() {
    let fixture = QueueFixture::new().await;
    fixture.letter_box.set_down(true);
    fixture.loops.request("anything").await;
    let main = fixture.loops.loop_of(fixture.mailboxes(), |_, _| async {
        Err(failure("remote.answer", "it does not work").with_evidence(Evidence::http(403)))
    });
    let running = start(main.with_dlq(fixture.dlq().max_delivery_count(1)));
    let requests = &fixture.mailboxes().requests;
    until("a delayed request", async || requests.counts().await.unwrap().delayed == 1).await;
    running.stop().await;
    fixture.loops.clock.advance(Span::from_secs(5));
    let waiting = receive_one(requests).await;
    assert_eq!(waiting.verdict, Some(Verdict::failed("permission/remote.answer", 1)));
    requests.release(&waiting.handle).await.unwrap();
    fixture.letter_box.set_down(false);
    let again = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    fixture.loops.until_no_requests().await;
    let letter = fixture.only_letter().await;
    assert_eq!(info(&letter).category, Category::Permission);
    assert_eq!(only_error(&letter), ("it does not work", Some("remote.answer")));
    again.stop().await;
}

/// The mailbox has forgotten the id, but the dead queue has not.
#[tokio::test]
async fn a_message_under_an_id_that_was_used_before_has_its_own_letter() {
    let fixture = QueueFixture::new().await;
    let running = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    for _ in 0..2 {
        let body = "{\"request_id\":\"1\",\"request\":\"fail validation\"}";
        let id = Some(MessageId::new("again").unwrap());
        fixture.mailboxes().requests.send(NewMessage { id, ..NewMessage::new(body) }).await.unwrap();
        fixture.loops.until_no_requests().await;
        fixture.loops.clock.advance(Span::from_days(4));
    }
    let times: Vec<Option<Time>> =
        fixture.letters().await.iter().map(|letter| letter.context.as_ref().unwrap().origin.timestamp).collect();
    assert_eq!(times, [Some(START), Some(START.saturating_add(Span::from_days(4)))]);
    running.stop().await;
}

/// The queue is told to keep letters of passing failures only. The sender learns of the end of its request all the same.
#[tokio::test]
async fn a_failure_that_the_strategy_skips_ends_without_a_letter() {
    let fixture = QueueFixture::with(|settings| settings.letters.strategy = Some(Strategy::Selective)).await;
    fixture.loops.request("fail validation").await;
    let running = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    fixture.loops.until_no_requests().await;
    assert_eq!(fixture.letters().await.len(), 0);
    assert_eq!(fixture.loops.replies().await.len(), 1);
    running.stop().await;
}

#[tokio::test]
async fn a_reply_mailbox_that_is_unknown_is_noted_in_the_letter() {
    let fixture = QueueFixture::new().await;
    fixture.loops.send_raw(b"{\"request_id\":\"1\",\"request\":\"ok\"}", Some("elsewhere")).await;
    let dlq = fixture.dlq().include(["resolution".parse().unwrap()]);
    let running = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(dlq));
    fixture.loops.until_no_requests().await;
    let letter = fixture.only_letter().await;
    assert_eq!(metadata(&letter, "reply_state").unwrap(), "unresolved");
    assert_eq!(letter.context.as_ref().unwrap().reply_to.as_deref(), Some("elsewhere"));
    assert!(fixture.loops.attempts().is_empty());
    running.stop().await;
}

/// A worker without a lease writes no letter: the next holder does.
#[tokio::test]
async fn a_stale_worker_writes_no_letter() {
    let fixture = QueueFixture::new().await;
    fixture.loops.request("fail validation").await;
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes().requests)));
    let (expiring, attempts) = (Arc::clone(&faulty), Arc::clone(&fixture.loops.attempts));
    let mailboxes = Mailboxes { requests: faulty, ..fixture.mailboxes().clone() };
    let main = fixture.loops.loop_of(&mailboxes, move |_, _| {
        expiring.expire_all();
        attempts.lock().unwrap().push((String::new(), 0));
        async { Err(failure("validation", "too late")) }
    });
    let running = start(main.with_dlq(fixture.dlq()));
    until("an attempt", async || fixture.loops.attempts().len() == 1).await;
    let report = running.stop().await;
    assert_eq!((report.lost, report.dead_lettered), (1, 0));
    assert_eq!((fixture.letters().await.len(), fixture.loops.replies().await.len()), (0, 0));
}
