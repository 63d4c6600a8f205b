//! Letters that depend on the completion of other letters.

use redrive_core::{LetterId, Outcome, Status, Time, Trigger};
use redrive_model::{Attempt, Cause, Event, NewLetter, OnLostDependency, Rejection};

use super::Model;
use super::item::{Item, Number};

impl Model {
    /// The dependencies of a new letter must exist.
    pub(super) fn check_dependencies(&self, queue: u32, new: &NewLetter) -> Result<(), Rejection> {
        let known =
            |id: &LetterId| self.by_letter(queue, *id).map(|_| ()).map_err(|_| Rejection::NoSuchDependency(*id));
        new.context.depends_on.iter().try_for_each(known)
    }

    pub(super) fn is_completed(&self, queue: u32, id: LetterId) -> bool {
        self.by_letter(queue, id).is_ok_and(|item| item.letter().unwrap().status == Status::Completed)
    }

    /// Whether a letter is among `waits_for` or their dependencies, directly or indirectly.
    pub(super) fn is_waited_for(&self, queue: u32, id: LetterId, waits_for: &[LetterId]) -> bool {
        let mut ahead = waits_for.to_vec();
        let mut seen = Vec::new();
        while let Some(next) = ahead.pop() {
            if !seen.contains(&next) {
                seen.push(next);
                let found = self.by_letter(queue, next).ok();
                ahead.extend(found.iter().flat_map(|item| &item.waits_for));
            }
        }
        seen.contains(&id)
    }

    /// Removes a completed letter from the dependencies of all others.
    pub(super) fn unblock(&mut self, done: LetterId, now: Time) {
        let mut waiting: Vec<&Item> = self.items.iter().filter(|item| item.waits_for.contains(&done)).collect();
        waiting.sort_by_key(|item| item.letter_id());
        let waiting: Vec<Number> = waiting.into_iter().map(|item| item.number).collect();
        for number in waiting {
            self.wait_no_more(number, &[done], now);
        }
    }

    /// Applies `on_lost_dependency` to letters that depend on an exhausted, archived or removed letter: they continue,
    /// or are exhausted, too. Processes at most `limit` and returns their number.
    pub(super) fn settle_lost(&mut self, limit: usize, now: Time) -> usize {
        let next = self.settle_next_lost(limit, now);
        if next == 0 { 0 } else { next + self.settle_lost(limit - next, now) }
    }

    /// The same, without the letters that depend on these.
    fn settle_next_lost(&mut self, limit: usize, now: Time) -> usize {
        let mut dependents: Vec<(u32, LetterId, Number)> = Vec::new();
        for item in &self.items {
            let Some(letter) = item.letter().filter(|letter| letter.status == Status::Pending) else { continue };
            let is_patient = matches!(self.on_lost(item.queue), None | Some(OnLostDependency::Wait));
            if !is_patient && !item.info.is_hand_over_only && !self.lost(item).is_empty() {
                dependents.push((item.queue, letter.id, item.number));
            }
        }
        dependents.sort_unstable();
        dependents.truncate(limit);
        for (queue, _, number) in &dependents {
            let lost = self.lost(self.item(*number));
            if self.on_lost(*queue) == Some(OnLostDependency::Release) {
                self.record_rule("released of a lost one");
                self.wait_no_more(*number, &lost, now);
            } else {
                self.exhaust_for(*number, &lost, now);
            }
        }
        dependents.len()
    }

    fn on_lost(&self, queue: u32) -> Option<OnLostDependency> {
        self.queue(queue).settings.letters.on_lost_dependency
    }

    fn lost(&self, item: &Item) -> Vec<LetterId> {
        let status = |id: LetterId| self.by_letter(item.queue, id).ok().map(|item| item.letter().unwrap().status);
        let is_lost = |id: &LetterId| matches!(status(*id), None | Some(Status::Exhausted | Status::Archived));
        item.waits_for.iter().copied().filter(is_lost).collect()
    }

    fn exhaust_for(&mut self, number: Number, lost: &[LetterId], now: Time) {
        let order = self.issue();
        let item = self.item(number);
        let found = self.by_letter(item.queue, lost[0]).ok().map(|item| item.letter().unwrap().status);
        self.record_rule(match found {
            None => "exhausted for one that is gone",
            Some(Status::Archived) => "exhausted for one that is archived",
            Some(_) => "exhausted for one that is exhausted",
        });
        let became = found.map_or("gone", |status| status.as_str());
        let record = Attempt {
            cause: Some(Cause::LostDependency),
            ended_at: Some(now),
            error: format!("letter {}, which it waited for, is {became}", lost[0]),
            ..Attempt::new(Trigger::Automatic, Outcome::Failure)
        };
        self.change(number, Event::DependencyLost, now, |item| {
            item.keep_attempt(Some(&record));
            item.order = order;
            let left = item.waits_for.iter().copied().filter(|id| !lost.contains(id)).collect();
            item.wait_for(left);
            item.park(Status::Exhausted, None, now);
            item.letter_mut().unwrap().is_overflow = false;
        });
    }

    /// Removes dependencies of a letter. Without remaining ones it gets its regular schedule.
    pub(super) fn wait_no_more(&mut self, number: Number, done: &[LetterId], now: Time) {
        let most = self.bounds(number);
        let item = self.item(number);
        let left: Vec<LetterId> = item.waits_for.iter().copied().filter(|id| !done.contains(id)).collect();
        let is_free = left.is_empty() && !item.is_over();
        let is_waiting = item.is_ready() && item.letter().unwrap().status == Status::Pending;
        self.record_rule(match (left.is_empty(), is_free, is_waiting) {
            (false, ..) => "freed of one of several",
            (true, false, _) => "freed in line",
            (true, true, false) => "freed while it was claimed",
            (true, true, true) => "freed",
        });
        let order = (is_free && is_waiting).then(|| self.issue());
        self.change(number, Event::Unblocked, now, |item| {
            item.wait_for(left);
            if !is_free {
                return;
            }
            let (status, due) = item.verdict(&most, now);
            let since = item.letter().unwrap().last_failed_at.min(now);
            let due = due.map(|due| since.saturating_add(due.since(now)).max(now));
            let before = item.letter_mut().unwrap().before.as_mut();
            match (order, before) {
                (Some(order), _) => {
                    item.order = order;
                    item.park(status, due, now);
                }
                (None, Some(before)) if before.status == Status::Pending => before.due = before.due.or(due),
                (None, _) => {}
            }
        });
    }
}

impl Item {
    pub(super) fn wait_for(&mut self, mut letters: Vec<LetterId>) {
        letters.sort_unstable();
        letters.dedup();
        self.letter_mut().unwrap().is_blocked = !letters.is_empty();
        self.waits_for = letters;
    }
}
