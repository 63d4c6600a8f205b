//! The consumer of dead letters.

use std::sync::{Arc, Mutex};

use redrive_core::Span;
use redrive_mailbox::{
    DeadLetter, DlqConsumer, LetterAction, LoopSettings, LoopTiming, NewMessage, RawMessage, Runnable,
};
use tokio::sync::Notify;

use super::fixture::{LoopFixture, browse, failure, name, receive_one, settled, start, until};

/// A letter about a request.
async fn letter_about(fixture: &LoopFixture, body: &'static [u8]) -> DeadLetter {
    fixture.send_raw(body, None).await;
    let got: RawMessage = receive_one(&fixture.mailboxes.requests).await;
    let letter = DeadLetter::new(&name("requests"), &got, "no", "validation".to_owned(), got.enqueued_at);
    let message = letter.to_message(&name("requests")).unwrap();
    let letters = &*fixture.mailboxes.letters;
    fixture.mailboxes.requests.dead_letter(&got.handle, message, letters).await.unwrap();
    letter
}

#[tokio::test]
async fn a_letter_that_is_processed_is_gone() {
    let fixture = LoopFixture::new();
    let letter = letter_about(&fixture, b"1").await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let consumer = DlqConsumer::on_clock(
        Arc::clone(&fixture.mailboxes.letters),
        Arc::new(fixture.clock.clone()),
        move |letter, _| {
            noted.lock().unwrap().push(letter);
            async { Ok::<_, std::io::Error>(LetterAction::Processed) }
        },
    );
    let running = start(consumer);
    assert_eq!(running.runnable.dlq().unwrap().letters.name().as_str(), "requests-dlq", "health shows its depth");
    until("no letters", async || fixture.letters().await.is_empty()).await;
    assert_eq!(*seen.lock().unwrap(), [letter]);
    running.stop().await;
}

/// Zero is not the absence of a value: a letter is received without a lease, and leased when its handler starts.
#[tokio::test]
async fn a_visibility_of_zero_is_honoured() {
    let fixture = LoopFixture::new();
    let letters = &fixture.mailboxes.letters;
    letter_about(&fixture, b"1").await;
    letter_about(&fixture, b"2").await;
    let (begun, end) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tx, rx) = (Arc::clone(&begun), Arc::clone(&end));
    let settings = LoopSettings { visibility: Some(Span::ZERO), ..DlqConsumer::default_settings() };
    let calls = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&calls);
    let consumer = DlqConsumer::on_clock(Arc::clone(letters), Arc::new(fixture.clock.clone()), move |_, _| {
        let (tx, rx) = (Arc::clone(&tx), Arc::clone(&rx));
        *counted.lock().unwrap() += 1;
        async move {
            tx.notify_one();
            rx.notified().await;
            Ok::<_, std::io::Error>(LetterAction::Processed)
        }
    });
    let running = start(consumer.with_settings(settings));
    for left in [1, 0] {
        begun.notified().await;
        let counts = letters.counts().await.unwrap();
        assert_eq!((counts.leased, counts.pending), (1, left), "the letter of the handler, and no other");
        // Longer than the visibility, shorter than the extension.
        fixture.clock.advance(Span::from_secs(600));
        settled().await;
        end.notify_one();
        until("its end", async || letters.counts().await.unwrap().total() == left).await;
    }
    assert_eq!(*calls.lock().unwrap(), 2, "each letter once");
    let report = running.stop().await;
    assert_eq!((report.done, report.lost), (2, 0));
}

/// Never to another mailbox, however often: a letter waits for its repair.
#[tokio::test]
async fn a_letter_whose_handler_fails_is_delivered_again_after_an_hour_without_an_end() {
    let fixture = LoopFixture::new();
    letter_about(&fixture, b"1").await;
    let letters = &fixture.mailboxes.letters;
    let consumer = DlqConsumer::on_clock(Arc::clone(letters), Arc::new(fixture.clock.clone()), |_, _| async {
        Err(failure("validation", "cannot be repaired"))
    });
    let running = start(consumer);
    for delivery in 1..=8 {
        until("a delayed letter", async || letters.counts().await.unwrap().delayed == 1).await;
        assert_eq!(browse(letters).await[0].delivery_count, delivery);
        fixture.clock.advance(Span::from_secs(3599));
        settled().await;
        assert_eq!(browse(letters).await[0].delivery_count, delivery, "not before an hour");
        fixture.clock.advance(Span::from_secs(1));
    }
    running.stop().await;
    assert_eq!(fixture.letters().await.len(), 1);
}

#[tokio::test]
async fn a_letter_that_cannot_be_decoded_stays_and_the_consumer_goes_on() {
    let fixture = LoopFixture::new();
    let letters = &fixture.mailboxes.letters;
    letters.send(NewMessage::new("not a letter")).await.unwrap();
    letter_about(&fixture, b"1").await;
    let consumer = DlqConsumer::on_clock(Arc::clone(letters), Arc::new(fixture.clock.clone()), |_, _| async {
        Ok::<_, std::io::Error>(LetterAction::Discarded)
    });
    let running = start(consumer);
    until("one letter", async || letters.counts().await.unwrap().total() == 1).await;
    until("a delayed letter", async || letters.counts().await.unwrap().delayed == 1).await;
    assert_eq!(&*browse(letters).await[0].body, b"not a letter");
    let report = running.stop().await;
    assert_eq!((report.done, report.retried), (1, 1));
}

/// The settings of the caller leave these open: they are not those of other loops.
#[tokio::test]
async fn a_consumer_with_other_settings_keeps_its_delay_and_its_times() {
    let fixture = LoopFixture::new();
    let letters = &fixture.mailboxes.letters;
    letter_about(&fixture, b"1").await;
    let calls = Arc::new(Notify::new());
    let called = Arc::clone(&calls);
    let consumer = DlqConsumer::on_clock(Arc::clone(letters), Arc::new(fixture.clock.clone()), move |_, _| {
        called.notify_one();
        async { Err::<LetterAction, _>(failure("provider", "no")) }
    });
    let consumer = consumer.with_settings(LoopSettings { concurrency: 4, ..LoopSettings::default() });
    let timing = consumer.timing(LoopTiming::IN_GROUP);
    assert_eq!((timing.visibility, timing.wait), (Span::from_secs(300), Span::from_secs(20)));
    let running = start(consumer);
    calls.notified().await;
    until("the delay", async || letters.counts().await.unwrap().delayed == 1).await;
    running.stop().await;
    fixture.clock.advance(Span::from_secs(3599));
    assert_eq!(letters.counts().await.unwrap().delayed, 1);
    fixture.clock.advance(Span::from_secs(1));
    assert_eq!(letters.counts().await.unwrap().delayed, 0);
}
