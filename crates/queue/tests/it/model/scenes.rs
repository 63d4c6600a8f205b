//! Short histories that went wrong once, written by hand. The model says what is right.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{
    Category, LetterId, Outcome, PolicySource, Priority, QueueName, RetryPolicy, Span, Status, Time, Trigger,
};
use redrive_model::{
    Annotate, Archive, Attempt, Capture, CaptureContext, ClaimById, Content, CreateQueue, NewItem, NewLetter, Origin,
    Produce, Purge, QueueSettings, Restore, Settle, SettleAction, UpdateQueue,
};
use redrive_queue::View;
use redrive_store::conformance::model::naive::Item;
use redrive_store::conformance::model::operation::Operation;

use super::USUAL;
use super::history::{History, Plan};
use super::machine::recover;

/// A dead queue with two partitions, and what happens in it.
struct Scene(History);

impl Scene {
    fn new() -> Self {
        let mut scene = Self(History::new(0, Plan { is_recovered: true, ..USUAL }));
        let settings = QueueSettings { partitions: 2, ..QueueSettings::new(dead()) };
        scene.then(Operation::CreateQueue(CreateQueue { settings }));
        scene
    }

    /// The machine does what the model does.
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

    /// Letters by the order of their birth.
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
    let origin =
        Origin { transport: "kafka".to_owned(), name: "topic".to_owned(), offset: Some(offset), ..Origin::default() };
    NewLetter {
        source_id: source_id.into(),
        content: Arc::new(Content::of_payload("work")),
        context: CaptureContext { origin, ..CaptureContext::default() },
        attempt: Attempt::new(Trigger::Automatic, Outcome::Failure),
        category: Category::Transient,
        fingerprint: redrive_core::Fingerprint::from_bytes([1; 16]),
        policy: RetryPolicy::Never,
        policy_source: PolicySource::Derived,
        max_retries: 3,
        priority: Priority::Medium,
        destination: Arc::from("x"),
        failed_at: Time::from_secs(1_700_000_000),
    }
}

#[test]
fn a_failure_that_was_told_before_is_known_whatever_came_since() {
    let mut scene = Scene::new();
    for offset in [1, 2] {
        scene.capture("one", offset);
        scene.archive(scene.letters());
    }
    // The next letter takes the place of the first wherever letters are looked for, before that of the second.
    let first = scene.letters()[..1].to_vec();
    scene.then(Operation::Purge(Purge { queue: dead(), letters: first }));
    scene.capture("one", 3);
    scene.capture("one", 2);
}

#[test]
fn a_restored_letter_is_not_the_second_of_its_message() {
    let mut scene = Scene::new();
    scene.capture("one", 7);
    let first = scene.letters();
    scene.archive(first.clone());
    scene.capture("two", 7);
    scene.restore(first);
    assert_eq!(scene.live(), 1);
    scene.archive(scene.letters());
    scene.restore(scene.letters());
    assert_eq!(scene.live(), 0, "one of them would be in the other's way");
}

#[test]
fn a_letter_that_comes_back_completed_is_in_nobodys_way() {
    let mut scene = Scene::new();
    scene.capture("one", 1);
    scene.claim(scene.letters());
    let id = scene.0.model.items[0].id();
    let done = SettleAction::Complete { attempt: None };
    scene.then(Operation::Settle(Settle::all(dead(), None, vec![id], &done)));
    scene.capture("one", 2);
    scene.archive(scene.letters());
    scene.restore(scene.letters());
    assert_eq!(scene.live(), 1);
}

#[test]
fn an_attempt_that_an_archive_ended_counts_as_one() {
    let mut scene = Scene::new();
    scene.capture("one", 1);
    scene.claim(scene.letters());
    scene.archive(scene.letters());
    scene.restore(scene.letters());
    let letter = scene.0.model.items[0].letter().cloned().unwrap();
    assert_eq!((letter.status, letter.retries, letter.total_attempts), (Status::Pending, 1, 2));
}

#[test]
fn a_note_does_not_change_which_partition_is_next() {
    let mut scene = Scene::new();
    for (source_id, offset) in [("one", 1), ("two", 2)] {
        scene.capture(source_id, offset);
    }
    for letter in scene.letters() {
        scene.then(Operation::Annotate(Annotate { queue: dead(), letter, note: Bytes::from_static(b"seen") }));
    }
    scene.capture("three", 3);
    scene.capture("four", 4);
}

#[test]
fn an_item_that_expired_before_its_time_came_dies_when_it_comes() {
    let mut scene = Scene::new();
    let enqueue_at = Some(scene.0.now.saturating_add(Span::from_secs(10)));
    let item = NewItem { enqueue_at, expire_after: Some(Span::from_secs(1)), ..NewItem::default() };
    scene.then(Operation::Produce(Produce::new(dead(), vec![item])));
    scene.pass(Span::from_mins(1));
    scene.then(Operation::Produce(Produce::new(dead(), Vec::new())));
    assert!(scene.0.model.items.is_empty());
}

#[test]
fn a_dead_item_is_no_duplicate_of_a_letter_that_is_over() {
    let mut scene = Scene::new();
    let work = || QueueName::new("work").unwrap();
    let settings = QueueSettings { dead_queue: Some(dead()), ..QueueSettings::new(work()) };
    scene.then(Operation::CreateQueue(CreateQueue { settings }));
    scene.capture("one", 1);
    let minute = Span::from_mins(1);
    scene.pass(Span::from_hours(24).saturating_sub(Span::from_secs(30)));
    // The letter expires while it is claimed, the claim runs out, and then the item dies: all of it unseen.
    scene.claim(scene.letters());
    let item = NewItem { message_id: Some("one".into()), expire_after: Some(minute), ..NewItem::default() };
    scene.then(Operation::Produce(Produce::new(work(), vec![item])));
    scene.pass(Span::from_hours(1));
    scene.then(Operation::Produce(Produce::new(work(), Vec::new())));
    assert_eq!(scene.live(), 1);
}

#[test]
fn the_times_of_a_queue_survive_to_the_microsecond() {
    let mut scene = Scene::new();
    scene.pass(Span::from_micros(1));
    let settings = scene.0.model.queues[0].settings.clone();
    scene.then(Operation::UpdateQueue(UpdateQueue::of(settings.name.clone())));
    scene.0.machine.close().unwrap();
    let again = recover(None, &scene.0.machine.log).unwrap();
    let kept = redrive_model::GetQueue { name: dead() }.view(&again).unwrap();
    assert!(kept.updated_at > kept.created_at);
}

#[test]
fn of_many_attempts_and_notes_the_first_and_the_newest_are_kept() {
    let mut scene = Scene::new();
    for offset in 0..25 {
        scene.capture("one", offset);
    }
    let letter = scene.letters()[0];
    for number in 0..103 {
        let note = Bytes::from(format!("note {number}"));
        scene.then(Operation::Annotate(Annotate { queue: dead(), letter, note }));
    }
    scene.0.audit().unwrap();
    assert_eq!(scene.0.model.items[0].documents.len(), 1 + 21 + 100);
}
