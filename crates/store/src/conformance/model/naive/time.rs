//! Timed transitions.

use redrive_core::{Ksuid, Status, Time};
use redrive_model::{DeathReason, EndReason, Event, ItemState};

use super::item::{Item, Number};
use super::{Model, Queue};

impl Model {
    /// The times of all timers up to `until`, earliest first.
    pub fn wakes(&self, until: Time) -> Vec<Time> {
        let mut wakes: Vec<Time> = self.items.iter().filter_map(Item::wakes_at).filter(|at| *at <= until).collect();
        wakes.sort_unstable();
        wakes
    }

    /// Does up to `limit` due transitions, earliest first, and returns their number.
    pub fn tick(&mut self, limit: usize, now: Time) -> usize {
        self.now = Some(now);
        self.note_answers(now);
        let due = |at: Time| at <= now;
        let mut due: Vec<(Time, Ksuid, Number)> = self
            .items
            .iter()
            .filter_map(|item| Some((item.wakes_at().filter(|at| due(*at))?, self.place(item), item.number)))
            .collect();
        due.sort_unstable();
        due.truncate(limit);
        for (at, _, number) in &due {
            // The death of an item in this tick may have opened a letter again.
            if self.item(*number).wakes_at() == Some(*at) {
                self.fire(*number, now);
            }
        }
        let dependents = self.settle_lost(limit - due.len(), now);
        let admitted = self.admit(limit - due.len() - dependents, now);
        due.len() + dependents + admitted
    }

    /// Schedules overflow letters, oldest first, while their queue has capacity.
    fn admit(&mut self, limit: usize, now: Time) -> usize {
        let mut admitted = 0;
        while admitted < limit {
            let next = self.queues.iter().find_map(|queue| self.next_overflow(queue));
            let Some(number) = next else { break };
            admitted += 1;
            let (order, most) = (self.issue(), self.bounds(number));
            self.change(number, Event::Admitted, now, |item| {
                item.order = order;
                item.letter_mut().into_iter().for_each(|letter| letter.is_overflow = false);
                item.settle(&most, now);
            });
        }
        admitted
    }

    /// The next overflow letter, if the queue has capacity for it.
    fn next_overflow(&self, queue: &Queue) -> Option<Number> {
        let here = || self.items.iter().filter(|item| item.queue == queue.number);
        let is_live = |item: &&Item| item.letter().is_some_and(|letter| letter.status.is_live());
        let others = here().filter(|item| is_live(item) && !item.is_waiting_overflow()).count() as u64;
        let has_capacity = queue.settings.letters.max_size.is_none_or(|most| others < most);
        let oldest = here().filter(|item| item.is_waiting_overflow()).min_by_key(|item| item.letter_id());
        oldest.filter(|_| has_capacity).map(|item| item.number)
    }

    fn fire(&mut self, number: Number, now: Time) {
        self.note(number, |item| item.fresh.clear());
        let item = self.item(number);
        let is_letter = item.letter().is_some();
        let has_expired = item.info.expires_at.is_some_and(|at| at < now);
        let is_completed = item.letter().is_some_and(|letter| letter.status == Status::Completed);
        let is_archived_first = item.until.is_some_and(|at| item.info.expires_at.is_none_or(|end| at <= end));
        let death = item.death.unwrap_or(DeathReason::GivenUp);
        match item.info.state {
            ItemState::Ready if is_archived_first => {
                self.record_rule("archived automatically");
                self.archive_one(number, now);
            }
            ItemState::Ready if is_letter => self.end(number, EndReason::Expired),
            ItemState::Ready => self.die(number, DeathReason::Expired, now),
            ItemState::Leased { .. } => {
                self.lose(number, now);
                if is_letter && has_expired && self.item(number).is_ready() {
                    self.end(number, EndReason::Expired);
                }
            }
            ItemState::Scheduled { .. } if has_expired && is_letter => self.end(number, EndReason::Expired),
            ItemState::Scheduled { .. } if has_expired => self.die(number, DeathReason::Expired, now),
            ItemState::Scheduled { .. } => self.requeue(number, Event::Promoted, now),
            ItemState::Stranded => self.die(number, death, now),
            ItemState::Finished if is_completed => self.end(number, EndReason::Completed),
            ItemState::Finished => self.end(number, EndReason::Forgotten),
            ItemState::Due { .. } | ItemState::Damaged => {}
        }
    }

    fn requeue(&mut self, number: Number, why: Event, now: Time) {
        let order = self.issue();
        self.change(number, why, now, |item| {
            item.order = order;
            item.info.state = ItemState::Ready;
        });
    }
}
