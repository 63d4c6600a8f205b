//! Generates random operations and times. Names and ids are few, so that operations often conflict.

mod items;
mod letters;
mod queues;
mod rest;

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{ItemId, Priority, QueueName, Span, Time};
use redrive_model::Content;

use super::naive::{Model, Queue};
use super::operation::Operation;
use super::random::Random;

const WORK: [&str; 3] = ["a", "b", "c"];
const DEAD: [&str; 2] = ["dead", "other"];
const SOURCES: [&str; 8] = ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"];
const INSTANT: Span = Span::from_micros(1);

/// The state that operations are generated from. Some of it may be outdated when the operation is performed.
#[derive(Debug)]
pub struct Any<'h> {
    pub random: &'h mut Random,
    pub model: &'h Model,
    /// All ids so far.
    pub past: &'h [ItemId],
    pub now: Time,
    /// Whether most operations are about letters: some rules need many letters to be covered.
    pub is_of_letters: bool,
}

impl Any<'_> {
    /// A random operation. Most are valid; some name queues or items that are removed, in another queue, or never
    /// existed.
    pub fn op(&mut self) -> Operation {
        if self.is_of_letters && self.random.chance(80) {
            return self.op_on_letters();
        }
        match self.random.below(100) {
            0..3 => Operation::CreateQueue(self.create_queue()),
            3..6 => Operation::UpdateQueue(self.update_queue()),
            6 => Operation::DeleteQueue(self.delete_queue()),
            7..20 => Operation::Produce(self.produce()),
            20..23 => Operation::Import(self.import()),
            23..31 => Operation::Capture(self.capture()),
            31..44 => self.lease(),
            44..46 => Operation::LeaseByMessageId(self.lease_by_message_id()),
            46..48 => Operation::Extend(self.extend()),
            48..66 => Operation::Settle(self.settle()),
            66..73 => Operation::ClaimDue(self.claim()),
            73..77 => Operation::ClaimById(self.claim_by_id()),
            77..80 => Operation::Archive(self.archive()),
            80..83 => Operation::Restore(self.restore()),
            83 => Operation::RestoreIfUnchanged(self.restore_if_unchanged()),
            84 if self.random.chance(40) => Operation::Resume(self.resume()),
            84 => Operation::HandBackLetters(self.hand_back_letters()),
            85..87 => Operation::Edit(self.edit()),
            87..89 => Operation::Annotate(self.annotate()),
            89 if self.random.chance(50) => Operation::Purge(self.purge()),
            89 if self.random.chance(50) => Operation::ChangeIfUnchanged(self.change_if_unchanged()),
            89 => Operation::Reinstate(self.reinstate()),
            90..92 => Operation::Clear(self.clear()),
            92..94 => Operation::DeleteItems(self.delete_items()),
            94..96 => Operation::WriteKeys(self.write_keys()),
            _ => Operation::Cursor(self.cursor()),
        }
    }

    fn op_on_letters(&mut self) -> Operation {
        match self.random.below(100) {
            0..36 => Operation::Capture(self.capture()),
            36..38 => Operation::HandBackLetters(self.hand_back_letters()),
            38..46 => Operation::ClaimDue(self.claim()),
            46..56 => Operation::ClaimById(self.claim_by_id()),
            56..72 => Operation::Settle(self.settle()),
            72..80 => Operation::Archive(self.archive()),
            80..86 => Operation::Restore(self.restore()),
            86..88 => Operation::RestoreIfUnchanged(self.restore_if_unchanged()),
            88..90 => Operation::Resume(self.resume()),
            90..93 => Operation::Edit(self.edit()),
            93..95 => Operation::Purge(self.purge()),
            95..97 => Operation::ChangeIfUnchanged(self.change_if_unchanged()),
            97..99 => Operation::Reinstate(self.reinstate()),
            _ => Operation::UpdateQueue(self.update_queue()),
        }
    }

    /// The time of the next step: soon, much later, earlier, or within an instant of a due timer.
    pub fn time(&mut self) -> Time {
        let (now, random) = (self.now, &mut *self.random);
        match random.below(100) {
            0..40 => now,
            40..60 => now.saturating_add(Span::from_micros(random.within(1..=200_000))),
            60..70 => now.saturating_add(Span::from_millis(random.within(100..=2_000))),
            70..90 => self.near_an_event(),
            90..94 => now.saturating_add(Span::from_secs(random.within(1..=60))),
            94..97 => now.saturating_sub(Span::from_millis(random.within(1..=20_000))),
            97 => now.saturating_add(Span::from_mins(random.within(1..=20))),
            98 => now.saturating_sub(Span::from_mins(random.within(1..=60))),
            // Rare: days later all items have expired.
            _ if random.chance(30) => now.saturating_add(Span::from_hours(random.within(1..=30))),
            _ => now,
        }
    }

    fn near_an_event(&mut self) -> Time {
        let mut waits: Vec<Time> = self.model.items.iter().filter_map(|item| item.wakes_at().or(item.due())).collect();
        waits.sort_unstable();
        waits.retain(|at| *at >= self.now);
        // One of the next timers: after a jump to the last one, all others would have fired.
        waits.truncate(3);
        let Some(at) = self.random.pick(&waits).copied() else { return self.now };
        let before = at.saturating_sub(INSTANT);
        self.random.one_of([at, before, before.saturating_sub(INSTANT), at.saturating_add(INSTANT)])
    }

    fn any_queue(&mut self) -> QueueName {
        name(self.random.one_of(["a", "b", "c", "dead", "other", "missing"]))
    }

    /// Usually an existing queue.
    fn likely_queue(&mut self) -> QueueName {
        let there = self.random.pick(&self.model.queues).filter(|_| self.random.chance(96));
        there.map_or_else(|| self.any_queue(), |queue| queue.settings.name.clone())
    }

    /// Usually a queue with ready items.
    fn busy_queue(&mut self) -> QueueName {
        let ready: Vec<u32> = self.model.items.iter().filter(|item| item.is_ready()).map(|item| item.queue).collect();
        match self.random.pick(&ready).filter(|_| self.random.chance(90)) {
            Some(queue) => self.model.queue(*queue).settings.name.clone(),
            None => self.likely_queue(),
        }
    }

    /// Usually a dead queue.
    fn dead_queue(&mut self) -> QueueName {
        let is_dead = |queue: &&Queue| DEAD.contains(&queue.settings.name.as_str());
        let dead: Vec<&Queue> = self.model.queues.iter().filter(is_dead).collect();
        let there = self.random.pick(&dead).filter(|_| self.random.chance(97));
        there.map_or_else(|| self.any_queue(), |queue| queue.settings.name.clone())
    }

    /// A time in a request: past, so soon that it counts as now, or later.
    fn requested_time(&mut self) -> Option<Time> {
        let ahead = |micros: u64| Some(self.now.saturating_add(Span::from_micros(micros)));
        let past = Some(self.now.saturating_sub(Span::from_secs(5)));
        let [almost, just] = [99_999, 100_000].map(ahead);
        let [soon, later, late] = [50_000, 3_000_000, 70_000_000].map(ahead);
        let none = self.random.chance(40);
        let time = self.random.one_of([past, soon, almost, just, later, later, late]);
        time.filter(|_| !none)
    }

    fn content(&mut self) -> Arc<Content> {
        Arc::new(Content::of_payload(Bytes::from(format!("payload {}", self.random.below(100_000)))))
    }

    fn priority(&mut self) -> Priority {
        self.random.one_of([Priority::High, Priority::Medium, Priority::Medium, Priority::Low])
    }

    fn source_id(&mut self) -> Box<str> {
        let sources = &SOURCES[..if self.is_of_letters { 8 } else { 4 }];
        let source = self.random.pick(sources).filter(|_| self.random.chance(98));
        source.map_or_else(Box::default, |source| Box::from(*source))
    }
}

fn name(text: &str) -> QueueName {
    QueueName::new(text).unwrap()
}
