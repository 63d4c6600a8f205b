//! Short histories that failed once. The model defines the correct result.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{LetterId, PolicySource, QueueName, Span, Status, Time, Trigger};
use redrive_model::{
    Annotate, Archive, Capture, CaptureContext, ClaimById, CreateQueue, LetterOverrides, NewItem, NewLetter, Origin,
    Produce, Purge, QueueSettings, Restore, Settle, SettleAction, UpdateQueue,
};
use redrive_queue::View;
use redrive_store::conformance::model::naive::Item;
use redrive_store::conformance::model::operation::Operation;

use super::USUAL;
use super::history::{History, Plan};
use super::machine::recover;

/// A history of a dead queue with two partitions.
struct Scenario(History);

impl Scenario {
    fn new() -> Self {
        let mut scenario = Self(History::new(0, Plan { is_recovered: true, ..USUAL }));
        let settings = QueueSettings { partitions: 2, ..QueueSettings::new(dead()) };
        scenario.then(Operation::CreateQueue(CreateQueue { settings }));
        scenario
    }

    /// Performs an operation and compares the machine with the model.
    fn then(&mut self, op: Operation) {
        self.0.step(op).unwrap();
    }

    fn capture(&mut self, source_id: &str, offset: i64) {
        self.then(Operation::Capture(Capture::new(dead(), vec![letter(source_id, offset)])));
    }

    fn archive(&mut self, letters: Vec<LetterId>) {
        self.then(Operation::Archive(Archive { queue: dead(), letters }));
    }

    fn restore(&mut self, letters: Vec<LetterId>) {
        self.then(Operation::Restore(Restore { queue: dead(), letters }));
    }

    fn claim(&mut self, letters: Vec<LetterId>) {
        let lease = Span::from_mins(1);
        let letters = letters.into_iter().map(Into::into).collect();
        self.then(Operation::ClaimById(ClaimById { queue: dead(), letters, lease, trigger: Trigger::Manual }));
    }

    fn pass(&mut self, span: Span) {
        self.0.now = self.0.now.saturating_add(span);
    }

    /// The letters in the order of their creation.
    fn letters(&self) -> Vec<LetterId> {
        let mut letters: Vec<LetterId> = self.0.model.items.iter().filter_map(Item::letter_id).collect();
        letters.sort_unstable();
        letters
    }

    fn live(&self) -> usize {
        let letters = self.0.model.items.iter().filter_map(Item::letter);
        letters.filter(|letter| letter.status.is_live()).count()
    }
}

fn dead() -> QueueName {
    QueueName::new("dead").unwrap()
}

fn letter(source_id: &str, offset: i64) -> NewLetter {
    let origin = Origin { transport: "kafka".into(), name: "topic".into(), offset: Some(offset), ..Origin::default() };
    NewLetter {
        context: CaptureContext { origin, ..CaptureContext::default() },
        fingerprint: redrive_core::Fingerprint::from_bytes([1; 16]),
        policy_source: PolicySource::Derived,
        destination: Arc::from("x"),
        failed_at: Time::from_secs(1_700_000_000),
        ..crate::letters::letter(source_id)
    }
}

#[test]
fn a_repeated_capture_is_recognised_after_other_captures_and_purges() {
    let mut scenario = Scenario::new();
    for offset in [1, 2] {
        scenario.capture("one", offset);
        scenario.archive(scenario.letters());
    }
    // The next letter gets the slot of the first one, so that lookups find it before the second one.
    let first = scenario.letters()[..1].to_vec();
    scenario.then(Operation::Purge(Purge { queue: dead(), letters: first }));
    scenario.capture("one", 3);
    scenario.capture("one", 2);
}

#[test]
fn a_letter_is_not_restored_beside_a_live_letter_of_the_same_message() {
    let mut scenario = Scenario::new();
    scenario.capture("one", 7);
    let first = scenario.letters();
    scenario.archive(first.clone());
    scenario.capture("two", 7);
    scenario.restore(first);
    assert_eq!(scenario.live(), 1);
    scenario.archive(scenario.letters());
    scenario.restore(scenario.letters());
    assert_eq!(scenario.live(), 0, "both would be live with the same coordinates");
}

#[test]
fn a_letter_that_is_restored_as_completed_does_not_conflict() {
    let mut scenario = Scenario::new();
    scenario.capture("one", 1);
    scenario.claim(scenario.letters());
    let id = scenario.0.model.items[0].id();
    let done = SettleAction::Complete { attempt: None };
    scenario.then(Operation::Settle(Settle::all(dead(), None, vec![id], &done)));
    scenario.capture("one", 2);
    scenario.archive(scenario.letters());
    scenario.restore(scenario.letters());
    assert_eq!(scenario.live(), 1);
}

#[test]
fn an_attempt_that_was_ended_by_an_archive_is_charged() {
    let mut scenario = Scenario::new();
    scenario.capture("one", 1);
    scenario.claim(scenario.letters());
    scenario.archive(scenario.letters());
    scenario.restore(scenario.letters());
    let letter = scenario.0.model.items[0].letter().cloned().unwrap();
    assert_eq!((letter.status, letter.retries, letter.total_attempts), (Status::Pending, 1, 2));
}

#[test]
fn a_note_does_not_change_the_placement() {
    let mut scenario = Scenario::new();
    for (source_id, offset) in [("one", 1), ("two", 2)] {
        scenario.capture(source_id, offset);
    }
    for letter in scenario.letters() {
        scenario.then(Operation::Annotate(Annotate { queue: dead(), letter, note: Bytes::from_static(b"seen") }));
    }
    scenario.capture("three", 3);
    scenario.capture("four", 4);
}

#[test]
fn a_scheduled_item_that_expires_before_it_is_due_dies_when_it_is_due() {
    let mut scenario = Scenario::new();
    let enqueue_at = Some(scenario.0.now.saturating_add(Span::from_secs(10)));
    let item = NewItem { enqueue_at, expire_after: Some(Span::from_secs(1)), ..NewItem::default() };
    scenario.then(Operation::Produce(Produce::new(dead(), vec![item])));
    scenario.pass(Span::from_mins(1));
    scenario.then(Operation::Produce(Produce::new(dead(), Vec::new())));
    assert!(scenario.0.model.items.is_empty());
}

#[test]
fn a_dead_item_is_not_a_duplicate_of_an_expired_letter() {
    let mut scenario = Scenario::new();
    let work = || QueueName::new("work").unwrap();
    let settings = QueueSettings { dead_queue: Some(dead()), ..QueueSettings::new(work()) };
    scenario.then(Operation::CreateQueue(CreateQueue { settings }));
    let letters = LetterOverrides { letters_expire: Some(true), ..LetterOverrides::default() };
    scenario.then(Operation::UpdateQueue(UpdateQueue { letters: Some(letters), ..UpdateQueue::of(dead()) }));
    let minute = Span::from_mins(1);
    let produce = || {
        let item = NewItem { message_id: Some("one".into()), expire_after: Some(minute), ..NewItem::default() };
        Operation::Produce(Produce::new(work(), vec![item]))
    };
    scenario.then(produce());
    scenario.pass(minute);
    scenario.then(Operation::Produce(Produce::new(work(), Vec::new())));
    let first = scenario.letters();
    scenario.pass(Span::from_hours(24).saturating_sub(Span::from_secs(30)));
    // The letter expires while it is claimed, then the claim expires, then the item dies: all within one tick.
    scenario.claim(first.clone());
    scenario.then(produce());
    scenario.pass(Span::from_hours(1));
    scenario.then(Operation::Produce(Produce::new(work(), Vec::new())));
    assert_ne!(scenario.letters(), first);
    assert_eq!(scenario.live(), 1);
}

#[test]
fn the_times_of_a_queue_survive_to_the_microsecond() {
    let mut scenario = Scenario::new();
    scenario.pass(Span::from_micros(1));
    let settings = scenario.0.model.queues[0].settings.clone();
    scenario.then(Operation::UpdateQueue(UpdateQueue::of(settings.name.clone())));
    scenario.0.machine.close().unwrap();
    let recovered = recover(None, &scenario.0.machine.log).unwrap();
    let settings = redrive_model::GetQueue { name: dead() }.view(&recovered).unwrap();
    assert!(settings.updated_at > settings.created_at);
}

#[test]
fn only_the_first_and_the_newest_attempts_and_notes_are_kept() {
    let mut scenario = Scenario::new();
    for offset in 0..25 {
        scenario.capture("one", offset);
    }
    let letter = scenario.letters()[0];
    for number in 0..103 {
        let note = Bytes::from(format!("note {number}"));
        scenario.then(Operation::Annotate(Annotate { queue: dead(), letter, note }));
    }
    scenario.0.audit().unwrap();
    assert_eq!(scenario.0.model.items[0].documents.len(), 1 + 21 + 100);
}
