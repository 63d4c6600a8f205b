//! The consumer of dead letters.

use std::sync::{Arc, Mutex};

use redrive_core::Span;
use redrive_mailbox::{DeadLetter, DlqConsumer, LetterAction, NewMessage, RawMessage};

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
