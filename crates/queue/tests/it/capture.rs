//! Captures: prepared letters, and queues that have lost their custom delays.

use std::sync::Arc;

use redrive_core::{CustomBackoff, Outcome, PolicySource, RetryPolicy, Status, Trigger};
use redrive_model::{
    Attempt, Capture, CaptureContext, Captured, Content, CreateQueue, LetterSettings, NewLetter, OpContext,
    QueueSettings, Rejection,
};
use redrive_queue::{Apply, Facts, State};

use crate::letters::{NOW, dead, letter};

const OP: OpContext = OpContext::new(NOW, 7);

fn letter_with(policy: RetryPolicy, policy_source: PolicySource) -> NewLetter {
    NewLetter { policy, policy_source, ..letter("order-1") }
}

fn capture(state: &mut State, facts: &mut Facts, letter: NewLetter) -> Result<Vec<Captured>, Rejection> {
    Capture::new(dead(), vec![letter]).apply(state, OP, facts)
}

#[test]
fn a_failure_with_the_default_policy_is_captured_after_its_queue_lost_the_custom_delays() {
    let (mut state, mut facts) = (State::new(), Facts::new());
    let delays: CustomBackoff = "list 5m".parse().unwrap();
    state.set_letter_settings(LetterSettings { custom_backoff: Some(delays), ..LetterSettings::default() });
    let mut settings = QueueSettings::new(dead());
    settings.letters.default_policy = Some(RetryPolicy::Custom);
    CreateQueue { settings }.apply(&mut state, OP, &mut facts).unwrap();
    state.set_letter_settings(LetterSettings::default());

    let explicit = capture(&mut state, &mut facts, letter_with(RetryPolicy::Custom, PolicySource::Explicit));
    assert_eq!(explicit, Err(Rejection::NoCustomBackoff), "an explicit request is rejected");
    let captured = capture(&mut state, &mut facts, letter_with(RetryPolicy::Custom, PolicySource::Default)).unwrap();
    assert_eq!((captured[0].status, captured[0].policy), (Status::Pending, RetryPolicy::Custom));
}

/// The records of a capture of three failures, of which the caller has prepared the first `prepared`.
fn records(prepared: usize) -> Vec<(u8, Vec<u8>, Vec<u8>)> {
    let (mut state, mut facts) = (State::new(), Facts::new());
    CreateQueue { settings: QueueSettings::new(dead()) }.apply(&mut state, OP, &mut facts).unwrap();
    let failure = |number: usize| NewLetter {
        source_id: format!("order-{number}").into(),
        content: Arc::new(Content::of_payload(format!("work {number}"))),
        context: CaptureContext { note: Some(format!("note {number}")), ..CaptureContext::default() },
        attempt: Attempt { error: format!("error {number}"), ..Attempt::new(Trigger::Automatic, Outcome::Failure) },
        ..letter_with(RetryPolicy::Linear, PolicySource::Explicit)
    };
    let capture = Capture::new(dead(), (0..3).map(failure).collect());
    let callers_letters = capture.letters.clone();
    assert!(callers_letters.prepare().take(prepared).all(|bytes| bytes > "work 0note 0error 0".len()));
    capture.apply(&mut state, OP, &mut facts).unwrap();
    assert_eq!(callers_letters.prepare().sum::<usize>(), 0, "the capture has prepared the rest");
    facts.iter().map(|record| (record.kind, record.head.to_vec(), record.payload.to_vec())).collect()
}

#[test]
fn letters_prepared_by_the_caller_give_the_same_records() {
    let unprepared = records(0);
    let letters: Vec<_> = unprepared.iter().filter(|(_, _, payload)| !payload.is_empty()).collect();
    for (number, (_, head, payload)) in letters.iter().enumerate() {
        let head = String::from_utf8_lossy(head);
        assert_eq!(payload, format!("work {number}").as_bytes());
        assert!(head.contains(&format!("note {number}")) && head.contains(&format!("error {number}")), "{head}");
    }
    assert_eq!(letters.len(), 3);
    assert_eq!(records(2), unprepared);
    assert_eq!(records(3), unprepared);
}
