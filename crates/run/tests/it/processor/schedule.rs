//! When a failed letter is retried again.

use std::sync::{Arc, Mutex};

use redrive_core::{CustomBackoff, Failure, LetterId, RetryPolicy, Span, Status};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{GetQueue, LetterOverrides, LetterSettings, NewLetter, RetryAt, SettleAction, UpdateQueue};
use redrive_store::{Clock, ManualClock, Request};

use super::fixture::{INTERVAL, start};
use crate::fixture::{Fault, Fixture, START, dead, run, transient, wait_until, with_fixture};

/// A letter with the policy `custom` in a queue with these delays.
async fn custom_letter(fixture: &Fixture, delays: &str) -> LetterId {
    let mut letters = fixture.store().queue(GetQueue { name: dead() }).await.unwrap().letters;
    letters.custom_backoff = Some(delays.parse().unwrap());
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(dead()) };
    fixture.store().update_queue(update).await.unwrap();
    let custom = NewLetter { policy: RetryPolicy::Custom, ..fixture.letter("a", "x") };
    fixture.capture([custom]).await[0]
}

/// Waits until the failure of a retry is recorded.
async fn until_recorded(fixture: &Fixture, letter: LetterId) {
    wait_until("the record of the failure", || async { fixture.status(letter).await != Status::Retrying }).await;
}

#[test]
fn a_letter_with_the_custom_policy_uses_the_delays_of_its_queue_for_every_error() {
    with_fixture(async |fixture| {
        let letter = custom_letter(&fixture, "list 0s 30s 90s").await;
        let (processor, mut inbox) = start(&fixture).await;
        let failures = [Failure::new("permission denied"), transient(), Failure::new("boom")];
        for (failure, (status, wait)) in failures.into_iter().zip([
            (Status::Pending, Some(30)),
            (Status::Pending, Some(90)),
            (Status::Exhausted, None),
        ]) {
            inbox.next().await.fail(failure);
            until_recorded(&fixture, letter).await;
            let info = fixture.info(letter).await.letter.unwrap();
            let due = wait.map(|seconds| fixture.clock.now().saturating_add(Span::from_secs(seconds)));
            assert_eq!((info.status, info.next_retry_at), (status, due));
            fixture.advance(Span::from_secs(wait.unwrap_or_default()));
        }
        processor.stop(&dead(), Span::ZERO).await.unwrap();
    });
}

/// Otherwise a target that rejects every request would be called as fast as it answers.
#[test]
fn an_immediate_letter_is_retried_immediately_and_then_once_an_interval() {
    run(async {
        let clock = ManualClock::new(START);
        let letters = LetterSettings { retry_interval: INTERVAL, ..LetterSettings::default() };
        let options = EmbeddedOptions { clock: Arc::new(clock.clone()), letters, ..EmbeddedOptions::default() };
        let fixture = Fixture::with_store(EmbeddedStore::in_memory(&options).unwrap(), clock, |_| {}).await;
        let immediate = NewLetter { policy: RetryPolicy::Immediate, ..fixture.letter("a", "x") };
        let letter = fixture.capture([immediate]).await[0];
        let (processor, mut inbox) = start(&fixture).await;
        // The second failure does not count as an attempt.
        for failure in [transient(), Failure::new("CircuitBreakerOpenError: request denied"), transient()] {
            inbox.next().await.fail(failure);
            until_recorded(&fixture, letter).await;
            let due = fixture.clock.now().saturating_add(INTERVAL);
            assert_eq!(fixture.info(letter).await.letter.unwrap().next_retry_at, Some(due));
            fixture.assert_no_call(&mut inbox, "the letter is not due yet").await;
            fixture.advance(INTERVAL);
        }
        inbox.next().await.done();
        fixture.until_status(letter, Status::Completed).await;
        processor.stop(&dead(), Span::ZERO).await.unwrap();
    });
}

#[test]
fn a_retry_after_hint_extends_the_delays_of_a_queue_and_never_shortens_them() {
    with_fixture(async |fixture| {
        let letter = custom_letter(&fixture, "list 0s 30s 90s").await;
        let requested = Arc::new(Mutex::new(Vec::new()));
        let recorded = Arc::clone(&requested);
        fixture.store.inject(move |request| {
            if let Request::Settle(settle) = request
                && let SettleAction::Retry { at, .. } = settle.items[0].action
            {
                recorded.lock().unwrap().push(at);
            }
            Fault::None
        });
        let (processor, mut inbox) = start(&fixture).await;
        for (hint, wait) in [(60, 60), (3, 90)].map(|(hint, wait)| (Span::from_secs(hint), Span::from_secs(wait))) {
            inbox.next().await.fail(transient().with_retry_after(hint));
            until_recorded(&fixture, letter).await;
            let due = fixture.clock.now().saturating_add(wait);
            assert_eq!(fixture.info(letter).await.letter.unwrap().next_retry_at, Some(due));
            assert_eq!(requested.lock().unwrap().last(), Some(&RetryAt::Decided(due)), "the runner decides the time");
            fixture.advance(wait);
        }
        processor.stop(&dead(), Span::ZERO).await.unwrap();
    });
}

#[test]
fn a_backoff_function_of_the_program_schedules_retries() {
    run(async {
        let squares =
            CustomBackoff::function("squares", |failed| Span::from_secs(u64::from(failed) * u64::from(failed)));
        let clock = ManualClock::new(START);
        let letters = LetterSettings { custom_backoff: Some(squares), ..LetterSettings::default() };
        let options = EmbeddedOptions { clock: Arc::new(clock.clone()), letters, ..EmbeddedOptions::default() };
        let fixture = Fixture::with_store(EmbeddedStore::in_memory(&options).unwrap(), clock, |_| {}).await;
        let update = UpdateQueue { letters: Some(LetterOverrides::default()), ..UpdateQueue::of(dead()) };
        fixture.store().update_queue(update).await.unwrap();
        let custom = NewLetter { policy: RetryPolicy::Custom, ..fixture.letter("a", "x") };
        let letter = fixture.capture([custom]).await[0];
        let due = async || fixture.info(letter).await.letter.unwrap().next_retry_at;
        assert_eq!(due().await, Some(fixture.clock.now().saturating_add(Span::from_secs(1))));
        let (processor, mut inbox) = start(&fixture).await;
        fixture.advance(Span::from_secs(1));
        inbox.next().await.fail(transient());
        until_recorded(&fixture, letter).await;
        assert_eq!(due().await, Some(fixture.clock.now().saturating_add(Span::from_secs(4))));
        processor.stop(&dead(), Span::ZERO).await.unwrap();
    });
}
