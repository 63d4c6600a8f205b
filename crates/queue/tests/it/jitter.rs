//! Jitter: letters that failed together are not retried together.

use std::collections::BTreeSet;

use redrive_core::{RetryPolicy, Span, Time};
use redrive_model::{
    Capture, ClaimDue, CreateQueue, DestinationFilter, LetterSettings, ListLetters, NewLetter, OpContext, QueueSettings,
};
use redrive_queue::{Apply, Facts, State, Tick, View};

use crate::letters::{NOW, dead, letter};

const COUNT: usize = 500;
const MINUTE: Span = Span::from_mins(1);

/// A store with this jitter and the letters of one request.
fn captured(jitter_percent: u8) -> State {
    let (mut state, mut facts) = (State::new(), Facts::new());
    state.set_letter_settings(LetterSettings { jitter_percent, ..LetterSettings::default() });
    let op = OpContext::new(NOW, 7);
    CreateQueue { settings: QueueSettings::new(dead()) }.apply(&mut state, op, &mut facts).unwrap();
    let letters = (0..COUNT).map(exponential).collect();
    Capture::new(dead(), letters).apply(&mut state, op, &mut facts).unwrap();
    state
}

fn exponential(number: usize) -> NewLetter {
    NewLetter { policy: RetryPolicy::Exponential, ..letter(&number.to_string()) }
}

/// The distinct delays of the letters since a time, in order.
fn delays(state: &State, since: Time) -> BTreeSet<Span> {
    let list = ListLetters { queue: dead(), statuses: Vec::new(), after: None, limit: COUNT };
    let letters = list.view(state).unwrap();
    letters.iter().map(|item| item.info.letter.as_ref().unwrap().next_retry_at.unwrap().since(since)).collect()
}

/// Asserts that most delays are distinct, that all are within the range, and that both ends of the range are used.
#[track_caller]
fn assert_spread(delays: &BTreeSet<Span>, least: Span, most: Span) {
    let width = most.saturating_sub(least);
    let tenth = Span::from_micros(width.as_micros() / 10);
    assert!(delays.len() > COUNT * 9 / 10, "only {} different delays", delays.len());
    let (first, last) = (*delays.first().unwrap(), *delays.last().unwrap());
    assert!((least..=least.saturating_add(tenth)).contains(&first), "{first}");
    assert!((most.saturating_sub(tenth)..=most).contains(&last), "{last}");
}

#[test]
fn letters_of_one_request_have_different_due_times_and_none_is_early() {
    let state = captured(50);
    assert_spread(&delays(&state, NOW), MINUTE, Span::from_secs(90));
}

#[test]
fn without_jitter_the_delay_is_that_of_the_policy() {
    assert_eq!(delays(&captured(0), NOW), BTreeSet::from([MINUTE]));
}

#[test]
fn letters_whose_claims_expire_together_are_spread_again() {
    let mut state = captured(100);
    let mut facts = Facts::new();
    let claimed_at = NOW.saturating_add(Span::from_mins(2));
    let claim = ClaimDue {
        queue: dead(),
        batch: COUNT as u64,
        lease: MINUTE,
        scope: DestinationFilter::all(),
        wait: Span::ZERO,
    };
    let claimed = claim.apply(&mut state, OpContext::new(claimed_at, 8), &mut facts).unwrap();
    assert_eq!(claimed.len(), COUNT);
    let lost_at = claimed_at.saturating_add(Span::from_mins(2));
    assert!(Tick { limit: usize::MAX }.apply(&mut state, OpContext::new(lost_at, 9), &mut facts));
    assert_spread(&delays(&state, lost_at), Span::from_mins(2), Span::from_mins(4));
}
