//! Letters whose papers stand with their content, and what is said of them where a queue has lost its delays.

use std::sync::Arc;

use redrive_core::{
    Category, CustomBackoff, Failure, Fingerprint, Outcome, PolicySource, Priority, QueueName, RetryPolicy, Status,
    Time, Trigger,
};
use redrive_model::{
    Attempt, Capture, CaptureContext, Captured, Content, CreateQueue, LetterSettings, NewLetter, OpContext,
    QueueSettings, Rejection,
};
use redrive_queue::{Apply, Facts, State};

const MOMENT: OpContext = OpContext::new(Time::from_secs(1_800_000_000), 7);

fn dead() -> QueueName {
    QueueName::new("dead").unwrap()
}

fn letter(policy: RetryPolicy, policy_source: PolicySource) -> NewLetter {
    NewLetter {
        source_id: "order-1".into(),
        content: Arc::new(Content::of_payload("work")),
        context: CaptureContext::default(),
        attempt: Attempt::new(Trigger::Automatic, Outcome::Failure),
        category: Category::Transient,
        fingerprint: Fingerprint::of(&Failure::new("timed out")),
        policy,
        policy_source,
        max_retries: 3,
        priority: Priority::Medium,
        destination: Arc::from("billing"),
        failed_at: MOMENT.now,
    }
}

fn capture(state: &mut State, facts: &mut Facts, letter: NewLetter) -> Result<Vec<Captured>, Rejection> {
    Capture::new(dead(), vec![letter]).apply(state, MOMENT, facts)
}

#[test]
fn no_failure_is_refused_for_delays_that_its_queue_has_lost() {
    let (mut state, mut facts) = (State::new(), Facts::new());
    let delays: CustomBackoff = "list 5m".parse().unwrap();
    state.set_letter_settings(LetterSettings { custom_backoff: Some(delays), ..LetterSettings::default() });
    let mut settings = QueueSettings::new(dead());
    settings.letters.default_policy = Some(RetryPolicy::Custom);
    CreateQueue { settings }.apply(&mut state, MOMENT, &mut facts).unwrap();
    state.set_letter_settings(LetterSettings::default());

    let asked = capture(&mut state, &mut facts, letter(RetryPolicy::Custom, PolicySource::Explicit));
    assert_eq!(asked, Err(Rejection::NoCustomBackoff), "whoever asks for them is told");
    let captured = capture(&mut state, &mut facts, letter(RetryPolicy::Custom, PolicySource::Default)).unwrap();
    assert_eq!((captured[0].status, captured[0].policy), (Status::Pending, RetryPolicy::Custom));
}

/// What is recorded of three failures, after so many of them were prepared by whoever handed them over.
fn records(prepared: usize) -> Vec<(u8, Vec<u8>, Vec<u8>)> {
    let (mut state, mut facts) = (State::new(), Facts::new());
    CreateQueue { settings: QueueSettings::new(dead()) }.apply(&mut state, MOMENT, &mut facts).unwrap();
    let failure = |number: usize| NewLetter {
        source_id: format!("order-{number}").into(),
        content: Arc::new(Content::of_payload(format!("work {number}"))),
        context: CaptureContext { note: Some(format!("note {number}")), ..CaptureContext::default() },
        attempt: Attempt { error: format!("error {number}"), ..Attempt::new(Trigger::Automatic, Outcome::Failure) },
        ..letter(RetryPolicy::Linear, PolicySource::Explicit)
    };
    let capture = Capture::new(dead(), (0..3).map(failure).collect());
    let handed_over = capture.letters.clone();
    assert!(handed_over.prepare().take(prepared).all(|bytes| bytes > "work 0note 0error 0".len()));
    capture.apply(&mut state, MOMENT, &mut facts).unwrap();
    assert_eq!(handed_over.prepare().sum::<usize>(), 0, "what was used is made");
    facts.iter().map(|record| (record.kind, record.head.to_vec(), record.payload.to_vec())).collect()
}

#[test]
fn it_does_not_matter_who_prepares_letters() {
    let by_the_machine = records(0);
    let letters: Vec<_> = by_the_machine.iter().filter(|(_, _, payload)| !payload.is_empty()).collect();
    for (number, (_, head, payload)) in letters.iter().enumerate() {
        let head = String::from_utf8_lossy(head);
        assert_eq!(payload, format!("work {number}").as_bytes());
        assert!(head.contains(&format!("note {number}")) && head.contains(&format!("error {number}")), "{head}");
    }
    assert_eq!(letters.len(), 3);
    assert_eq!(records(2), by_the_machine);
    assert_eq!(records(3), by_the_machine);
}
