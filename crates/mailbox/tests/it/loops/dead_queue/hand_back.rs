//! Letters of a dead queue that go back to their mailbox.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::{Span, Status, Time};
use redrive_mailbox::conformance::FaultyMailbox;
use redrive_mailbox::{
    HandedBack, MailboxBackend, MailboxSettings, MemoryMailboxes, MessageId, NewMessage, ReplyResolver,
};
use redrive_model::capture::FailedWork;
use redrive_model::{CaptureContext, Content, Edit, FullLetter, Origin};
use redrive_run::Processor;

use super::fixture::{QueueFixture, info, status};
use crate::loops::fixture::{START, browse, failure, name, start, until};

const BODY: &[u8] = b" {\"request_id\":\"r-7\",  \"request\":\"fail validation\"}";

/// A letter about a request that expects a reply, and whose loop has ended.
async fn dead_request(fixture: &QueueFixture) -> FullLetter {
    fixture.loops.send_raw(BODY, Some("replies")).await;
    let running = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    fixture.loops.until_no_requests().await;
    running.stop().await;
    fixture.only_letter().await
}

fn first_id(letter: &FullLetter) -> &str {
    letter.context.as_ref().unwrap().origin.message_id.as_deref().unwrap()
}

/// The error of the last attempt to hand a letter back.
async fn rejection(fixture: &QueueFixture, processor: &Processor, letter: &FullLetter) -> String {
    let retried = fixture.retry(processor, letter).await;
    assert!(!retried.is_success());
    retried.attempt.unwrap().error
}

#[tokio::test]
async fn a_letter_goes_back_as_the_message_that_it_was() {
    let fixture = QueueFixture::new().await;
    let letter = dead_request(&fixture).await;
    assert!(fixture.retry(&fixture.processor(), &letter).await.is_success());
    let message = browse(&fixture.mailboxes().requests).await.remove(0);
    assert_eq!((&*message.body, message.reply_to.as_deref()), (BODY, Some("replies")));
    assert_eq!(message.delivery_count, 0, "the attempts start over");
    let expected = HandedBack {
        mailbox: "requests",
        first: first_id(&letter),
        enqueued_at: START,
        replays: 1,
        letter: &info(&letter).id.to_string(),
    };
    assert_eq!(message.id.handed_back(), Some(expected));
    assert_eq!(message.id.replayed(), Some(first_id(&letter)));
    assert_eq!(status(&fixture.only_letter().await), Status::Completed);
}

#[tokio::test]
async fn a_message_that_fails_again_is_the_same_letter() {
    let fixture = QueueFixture::new().await;
    let is_repaired = Arc::new(AtomicBool::new(false));
    let main = fixture.loops.loop_of(fixture.mailboxes(), {
        let is_repaired = Arc::clone(&is_repaired);
        move |_, _| {
            let is_repaired = is_repaired.load(Ordering::SeqCst);
            async move { if is_repaired { Ok("done".to_owned()) } else { Err(failure("validation", "no such order")) } }
        }
    });
    let running = start(main.with_dlq(fixture.dlq()));
    fixture.loops.send_raw(BODY, Some("replies")).await;
    let processor = fixture.processor();
    for replays in 0..3 {
        until("the letter is open", async || {
            let letters = fixture.letters().await;
            assert!(letters.len() < 2, "{letters:#?}");
            letters.first().is_some_and(|letter| status(letter) == Status::Pending && info(letter).replays == replays)
        })
        .await;
        let letter = fixture.only_letter().await;
        assert_eq!((info(&letter).generation, info(&letter).retries), (1, replays));
        until("no requests", async || browse(&fixture.mailboxes().requests).await.is_empty()).await;
        is_repaired.store(replays == 2, Ordering::SeqCst);
        fixture.loops.clock.advance(Span::from_secs(1));
        fixture.retry(&processor, &letter).await;
    }
    fixture.loops.until_no_requests().await;
    let letter = fixture.only_letter().await;
    assert_eq!(status(&letter), Status::Completed);
    assert_eq!(letter.attempts.len(), 6, "three failures, and three hand-backs");
    let replies = fixture.loops.replies().await;
    let outputs = replies.iter().filter(|reply| reply.output.is_some()).count();
    assert_eq!((replies.len(), outputs), (4, 1), "one reply for each message");
    running.stop().await;
}

/// A processor whose first hand-back takes effect and fails.
fn with_lost_answer(fixture: &QueueFixture) -> Processor {
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes().requests)));
    faulty.lose_next_answers(1);
    fixture.processor_with(ReplyResolver::builder().register(faulty).build())
}

/// The answer is lost, so the letter is handed back again: the mailbox has one message.
#[tokio::test]
async fn a_hand_back_whose_answer_was_lost_sends_one_message() {
    let fixture = QueueFixture::new().await;
    let letter = dead_request(&fixture).await;
    let processor = with_lost_answer(&fixture);
    let error = rejection(&fixture, &processor, &letter).await;
    assert!(error.starts_with("the hand-back to mailbox 'requests' failed: "), "{error}");
    let letter = fixture.only_letter().await;
    assert!(fixture.retry(&processor, &letter).await.is_success());
    assert_eq!(browse(&fixture.mailboxes().requests).await.len(), 1);
}

/// Under the id of the earlier hand-back, the mailbox would drop the edited content as a repetition.
#[tokio::test]
async fn an_edited_letter_is_sent_even_if_its_first_content_was() {
    let fixture = QueueFixture::new().await;
    let letter = dead_request(&fixture).await;
    let processor = with_lost_answer(&fixture);
    rejection(&fixture, &processor, &letter).await;
    let edited = "{\"request_id\":\"r-7\",\"request\":\"ok\"}";
    let edit = Edit {
        queue: fixture.queue.clone(),
        letter: info(&letter).id,
        content: Some(Arc::new(Content::of_payload(edited))),
        policy: None,
        max_retries: None,
        priority: None,
    };
    fixture.store.edit(edit).await.unwrap();
    assert!(fixture.retry(&processor, &fixture.only_letter().await).await.is_success());
    let bodies: Vec<bytes::Bytes> =
        browse(&fixture.mailboxes().requests).await.into_iter().map(|message| message.body).collect();
    assert!(bodies.len() == 2 && bodies.contains(&edited.into()), "{bodies:?}");
}

/// A sender may choose any id.
#[tokio::test]
async fn a_message_with_the_id_of_a_hand_back_of_other_work_has_its_own_letter() {
    let fixture = QueueFixture::new().await;
    let letter = dead_request(&fixture).await;
    let id = format!("handback{{requests}}1:{}:x:{}", START.as_micros(), first_id(&letter));
    for (id, body) in [
        (id.clone(), "{\"request_id\":\"1\",\"request\":\"fail validation\"}"),
        (id.replace("}1:", "}7:"), std::str::from_utf8(BODY).unwrap()),
        (id.replace("requests", "others"), "{\"request_id\":\"3\",\"request\":\"fail validation\"}"),
    ] {
        let id = Some(MessageId::new(&id).unwrap());
        fixture.mailboxes().requests.send(NewMessage { id, ..NewMessage::new(body) }).await.unwrap();
    }
    let running = start(fixture.loops.main_loop(fixture.mailboxes()).with_dlq(fixture.dlq()));
    fixture.loops.until_no_requests().await;
    running.stop().await;
    let letters = fixture.letters().await;
    assert_eq!(letters.len(), 4);
    assert!(letters.iter().all(|letter| info(letter).replays == 0 && letter.attempts.len() == 1), "{letters:#?}");
}

/// The caller of a capture names the origin: only known mailboxes are written to.
#[tokio::test]
async fn nothing_is_sent_to_a_mailbox_that_is_not_allowed() {
    let fixture = QueueFixture::new().await;
    let processor = fixture.processor();
    let cases = [
        ("other", None, "mailbox 'other' is not among the mailboxes to which its letters may be handed back"),
        ("{requests}", None, "the name of its origin is not a mailbox name"),
        ("requests", Some("{}"), "its reply_to is not a mailbox name"),
    ];
    for (origin, reply_to, why) in cases {
        let origin = Origin { transport: "mailbox".into(), name: origin.into(), ..Origin::default() };
        let reply_to = reply_to.map(str::to_owned);
        let context = CaptureContext { origin, reply_to, ..CaptureContext::default() };
        let work = FailedWork { context, ..FailedWork::new(why, failure("validation", "x"), Time::from_secs(1)) };
        fixture.dead_queue().post(&work).await.unwrap();
        let letter = fixture.only_letter().await;
        assert_eq!(rejection(&fixture, &processor, &letter).await, format!("not retryable: {why}"));
        fixture.purge(&letter).await;
    }
    assert_eq!(browse(&fixture.mailboxes().requests).await, []);
}

/// It has no message id: its failure after the hand-back is that of a new message.
#[tokio::test]
async fn a_letter_that_names_no_message_is_sent_once() {
    let fixture = QueueFixture::new().await;
    let origin = Origin { transport: "mailbox".into(), name: "requests".into(), ..Origin::default() };
    let context = CaptureContext { origin, ..CaptureContext::default() };
    let content = Arc::new(Content::of_payload("any"));
    let work = FailedWork { context, content, ..FailedWork::new("a", failure("validation", "x"), Time::from_secs(1)) };
    fixture.dead_queue().post(&work).await.unwrap();
    let letter = fixture.only_letter().await;
    assert!(fixture.retry(&fixture.processor(), &letter).await.is_success());
    let message = browse(&fixture.mailboxes().requests).await.remove(0);
    assert_eq!((&*message.body, message.id.handed_back()), (&b"any"[..], None));
}

#[tokio::test]
async fn a_mailbox_that_is_full_or_down_takes_the_letter_later() {
    let fixture = QueueFixture::new().await;
    let letter = dead_request(&fixture).await;
    let one = MailboxSettings { capacity: std::num::NonZeroU64::new(1), ..MailboxSettings::default() };
    let memory = MemoryMailboxes::new(Arc::new(fixture.loops.clock.clone()));
    let full = memory.open(name("requests"), one) as Arc<dyn MailboxBackend>;
    let filler = full.send(NewMessage::new("filler")).await.unwrap();
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&full)));
    let registered = Arc::clone(&faulty) as Arc<dyn MailboxBackend>;
    let processor = fixture.processor_with(ReplyResolver::builder().register(registered).build());
    let error = rejection(&fixture, &processor, &letter).await;
    assert!(error.contains("mailbox 'requests' is full"), "{error}");
    full.purge().await.unwrap();
    faulty.refuse_sends(true);
    let error = rejection(&fixture, &processor, &fixture.only_letter().await).await;
    assert!(error.contains("is not available"), "{error}");
    faulty.refuse_sends(false);
    assert!(fixture.retry(&processor, &fixture.only_letter().await).await.is_success());
    let messages = browse(&full).await;
    assert!(messages.len() == 1 && messages[0].id != filler, "{messages:?}");
}
