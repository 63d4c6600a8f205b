//! Starting, pausing and stopping a processor, and how often it claims.

use redrive_core::{Span, Status};
use redrive_run::{ProcessorError, RunnerStartError};

use super::fixture::{INTERVAL, start, with_inbox};
use crate::fixture::{Fixture, dead, with_fixture};

#[test]
fn due_letters_are_retried_until_they_are_completed() {
    with_fixture(async |fixture| {
        let letters = fixture.capture([fixture.letter("a", "x"), fixture.letter("b", "y")]).await;
        let (processor, mut inbox) = start(&fixture).await;
        for pending in inbox.take(2).await {
            pending.done();
        }
        for letter in letters {
            fixture.until_status(letter, Status::Completed).await;
        }
        let report = processor.stop(&dead(), Span::ZERO).await.unwrap().unwrap();
        assert_eq!((report.done, report.finished()), (2, 2));
        assert!(processor.stop(&dead(), Span::ZERO).await.unwrap().is_none(), "the processor was already stopped");
    });
}

#[test]
fn a_running_processor_cannot_be_started_again_until_it_was_stopped() {
    with_fixture(async |fixture| {
        let (processor, mut inbox) = start(&fixture).await;
        assert_eq!(processor.start(&dead()).await, Err(ProcessorError::Start(RunnerStartError::AlreadyRunning)));
        processor.stop(&dead(), Span::ZERO).await.unwrap();
        assert!(processor.health(&dead()).await.unwrap().is_none());
        processor.start(&dead()).await.unwrap();
        fixture.capture([fixture.letter("a", "x")]).await;
        inbox.next().await.done();
        assert!(processor.health(&dead()).await.unwrap().unwrap().is_progressing());
        processor.stop_all(Span::ZERO).await;
    });
}

#[test]
fn a_paused_processor_claims_nothing() {
    with_fixture(async |fixture| {
        let (processor, mut inbox) = start(&fixture).await;
        processor.pause(&dead(), true).await.unwrap();
        fixture.until_idle().await;
        fixture.capture([fixture.letter("a", "x")]).await;
        fixture.assert_no_call(&mut inbox, "no further call").await;
        processor.pause(&dead(), false).await.unwrap();
        inbox.next().await.done();
        processor.stop_all(Span::ZERO).await;
    });
}

#[test]
fn a_processor_claims_once_an_interval_and_earlier_for_a_new_letter() {
    with_fixture(async |fixture| {
        let (processor, mut inbox) = start(&fixture).await;
        assert_eq!(processor.interval(&dead()), Ok(INTERVAL));
        assert_claims_every(&fixture, INTERVAL).await;
        fixture.capture([fixture.letter("a", "x")]).await;
        inbox.next().await.done();
        processor.stop_all(Span::ZERO).await;
    });
}

#[test]
fn an_interval_given_at_start_ends_with_that_run() {
    with_fixture(async |fixture| {
        let (processor, _inbox) = with_inbox(&fixture);
        let other = INTERVAL.saturating_mul(3);
        processor.start_looking_every(&dead(), other).await.unwrap();
        assert_eq!(processor.interval(&dead()), Ok(other));
        assert_claims_every(&fixture, other).await;
        let rejected = processor.start_looking_every(&dead(), Span::from_secs(1)).await;
        assert_eq!(rejected, Err(ProcessorError::Start(RunnerStartError::AlreadyRunning)));
        assert_claims_every(&fixture, other).await;
        processor.stop(&dead(), Span::ZERO).await.unwrap();
        processor.start(&dead()).await.unwrap();
        assert_claims_every(&fixture, INTERVAL).await;
        processor.stop_all(Span::ZERO).await;
    });
}

async fn assert_claims_every(fixture: &Fixture, interval: Span) {
    fixture.until_idle().await;
    for _ in 0..3 {
        let claims = fixture.store.count("claim");
        fixture.advance(interval.saturating_sub(Span::from_micros(1)));
        fixture.until_idle().await;
        assert_eq!(fixture.store.count("claim"), claims, "the interval is not over");
        fixture.advance(Span::from_micros(1));
        fixture.until_idle().await;
        assert_eq!(fixture.store.count("claim"), claims + 1);
    }
}
