//! What happens by itself.

use redrive_core::{Status, Time};
use redrive_queue::{DeathReason, Ending, ItemState, Why};

use super::Model;
use super::item::{Number, slot_of};

impl Model {
    /// Lets what is due happen, the earliest first, and no more than so many. Whether anything did.
    pub(crate) fn tick(&mut self, limit: usize, now: Time) -> bool {
        let due = |at: Time| at <= now;
        let mut due: Vec<(Time, u32, Number)> = self
            .items
            .iter()
            .filter_map(|item| Some((item.wakes_at().filter(|at| due(*at))?, slot_of(item.id()), item.number)))
            .collect();
        due.sort_unstable();
        due.truncate(limit);
        for (.., number) in &due {
            self.happen(*number, now);
        }
        !due.is_empty()
    }

    fn happen(&mut self, number: Number, now: Time) {
        let item = self.item(number);
        let is_letter = item.letter().is_some();
        let has_expired = item.info.expires_at.is_some_and(|at| at < now);
        let is_completed = item.letter().is_some_and(|letter| letter.status == Status::Completed);
        let death = item.death.unwrap_or(DeathReason::GivenUp);
        match item.info.state {
            ItemState::Ready if is_letter => self.end(number, Ending::Expired),
            ItemState::Ready => self.die(number, DeathReason::Expired, now),
            ItemState::Leased { .. } if is_letter => self.lose_letter(number, now),
            ItemState::Leased { .. } if self.is_spent(number) => self.die(number, DeathReason::MaxAttempts, now),
            ItemState::Leased { .. } if has_expired => self.die(number, DeathReason::Expired, now),
            ItemState::Leased { .. } => self.requeue(number, Why::LeaseExpired),
            ItemState::Scheduled { .. } => self.requeue(number, Why::Promoted),
            ItemState::Stranded => self.die(number, death, now),
            ItemState::Finished if is_completed => self.end(number, Ending::Completed),
            ItemState::Finished => self.end(number, Ending::Purged),
            ItemState::Due { .. } => {}
        }
    }

    fn requeue(&mut self, number: Number, why: Why) {
        let order = self.issue();
        self.change(number, why, |item| {
            item.order = order;
            item.info.state = ItemState::Ready;
        });
    }
}
