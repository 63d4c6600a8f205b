//! Settle leased items: the holder of the lease reports the results.
//!
//! Ids are processed in order, and each has a result. A late result of a letter is rejected, but its attempt is
//! recorded on the letter.

use std::collections::HashSet;

use redrive_core::{ItemId, Status};
use redrive_model::transition::{FailedAttempt, Step};
use redrive_model::{
    EndReason, Item, OnRejected, OpContext, Phase, QueueRules, Rejection, Settle, SettleAction, Settled, Settlement,
    Stamp, Stamps, check_count, transition,
};

use crate::fact::Fact;
use crate::queue::Cleared;
use crate::{Apply, Facts, State};

impl Apply for Settle {
    type Reply = Result<Vec<Result<Settled, Rejection>>, Rejection>;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let queue = state.named_with_partition(&self.queue, self.partition)?;
        check_count("items", self.items.len())?;
        self.items.iter().try_for_each(|item| item.action.check())?;
        let mut completed = CompletedItems::default();
        let mut answers = Vec::with_capacity(self.items.len());
        for Settlement { id, action } in self.items {
            match state.leased(queue, self.partition, id, action.participle()) {
                Ok(slot) if !completed.seen.contains(&slot) => {
                    answers.push(Ok(state.settle_one((queue, slot), action, &mut completed, op, facts)));
                    continue;
                }
                Ok(_) => answers.push(Err(Rejection::NoSuchItem(id))),
                Err(rejection) => {
                    state.record_late_result(queue, id, action, op, facts);
                    answers.push(Err(rejection));
                }
            }
            if self.on_rejected == OnRejected::Stop {
                break;
            }
        }
        completed.record(state, op, facts);
        Ok(answers)
    }
}

/// Calls the rule for the action of the holder.
fn settled(
    item: Item,
    rules: &QueueRules<'_>,
    action: SettleAction,
    cleared: Cleared,
    op: OpContext,
    stamps: &mut Stamps,
) -> Step {
    let is_letter = item.letter().is_some();
    match action {
        SettleAction::Complete { attempt } => {
            transition::complete_letter(item, rules, attempt.as_deref(), op, stamps).into()
        }
        SettleAction::Retry { at, attempt, charged } => {
            let failed = FailedAttempt { at, charged, record: attempt.as_deref() };
            match is_letter {
                true => transition::retry_letter(item, rules, failed, op, stamps).into(),
                false => transition::retry_item(item, rules, failed, cleared.scheduled, op, stamps),
            }
        }
        SettleAction::Dead { attempt, why } => match is_letter {
            true => transition::give_up_letter(item, rules, why, attempt.as_deref(), op, stamps).into(),
            false => transition::give_up_item(item, why, attempt.as_deref(), op),
        },
        SettleAction::Release => transition::release(item, rules, cleared.ready, op, stamps),
        SettleAction::Defer { until } => transition::defer(item, rules, until, op, stamps),
        SettleAction::Lost => match is_letter {
            true => transition::lose_letter(item, rules, op, stamps).into(),
            false => transition::lose_item(item, rules, op, stamps),
        },
        SettleAction::RedeliverForHandOver { at, attempt } => {
            transition::redeliver_for_hand_over(item, at, attempt.as_deref(), op, stamps).into()
        }
        SettleAction::Note { lease, notes } => transition::note(item, lease, &notes, op.now).into(),
    }
}

impl State {
    fn settle_one(
        &mut self,
        (queue, slot): (u32, u32),
        action: SettleAction,
        completed: &mut CompletedItems,
        op: OpContext,
        facts: &mut Facts,
    ) -> Settled {
        let is_letter = self.items.get(slot).is_some_and(|item| item.letter().is_some());
        if matches!(action, SettleAction::Complete { .. }) && !is_letter {
            completed.add(slot);
            return Settled::Completed;
        }
        // A dying item may move to a queue in which a completed item still holds its source id.
        if matches!(action, SettleAction::Retry { .. } | SettleAction::Dead { .. } | SettleAction::Lost) {
            completed.record(self, op, facts);
        }
        let cleared = self.cleared(slot);
        let letter_queue = self.items.get(slot).and_then(|item| self.queue_of_handed_back(item));
        let ended =
            self.transit(slot, op, facts, |item, rules, stamps| settled(item, rules, action, cleared, op, stamps));
        match (ended, letter_queue) {
            // For its holder, an item that is a letter again has moved.
            (Some(EndReason::Duplicate), Some(to)) => Settled::Moved { to },
            _ => self.settled(queue, slot, ended),
        }
    }

    /// The result for the item in a slot of this queue; `ended` is the reason if it was removed.
    fn settled(&self, queue: u32, slot: u32, ended: Option<EndReason>) -> Settled {
        let item = match (ended, self.items.get(slot)) {
            (Some(reason), _) => return Settled::Gone(reason),
            (None, None) => return Settled::Gone(EndReason::Dropped),
            (None, Some(item)) => item,
        };
        if let Some(to) = self.name_of(item.queue).filter(|_| item.queue != queue) {
            return Settled::Moved { to };
        }
        let status = item.letter().map(|letter| letter.status);
        match (item.phase, status) {
            (_, Some(Status::Completed)) => Settled::Completed,
            (_, Some(Status::Exhausted)) => Settled::Exhausted,
            (Phase::Stranded, _) => Settled::Stranded,
            (Phase::Scheduled | Phase::Due, _) => Settled::Requeued { at: Some(item.at) },
            (Phase::Leased, _) => Settled::Kept { deadline: item.at },
            (Phase::Ready | Phase::Finished | Phase::Damaged, _) => Settled::Requeued { at: None },
        }
    }

    /// The serial numbers up to which the items of an item's partition were cleared.
    fn cleared(&self, slot: u32) -> Cleared {
        let item = self.items.get(slot);
        let partition = item.and_then(|item| self.queues.get(&item.queue)?.partition(item.partition));
        partition.map_or_else(Cleared::default, |partition| partition.cleared)
    }

    /// Completes a leased item.
    pub(super) fn complete(&mut self, (queue, slot): (u32, u32), op: OpContext, facts: &mut Facts) {
        let mut completed = CompletedItems::default();
        self.settle_one((queue, slot), SettleAction::Complete { attempt: None }, &mut completed, op, facts);
        completed.record(self, op, facts);
    }

    /// Records a result that was reported under an earlier id of a letter of this queue.
    fn record_late_result(&mut self, queue: u32, id: ItemId, action: SettleAction, op: OpContext, facts: &mut Facts) {
        let (stamp, slot) = Stamp::split(id.ksuid());
        let Some(item) = self.live(slot).filter(|item| item.queue == queue) else { return };
        if let Some(recorded) = transition::late_result(item.clone(), stamp, action, op.now) {
            self.commit(slot, recorded, op, facts);
        }
    }
}

/// Completed plain items that are recorded as one fact.
#[derive(Debug, Default)]
struct CompletedItems {
    slots: Vec<u32>,
    seen: HashSet<u32>,
}

impl CompletedItems {
    fn add(&mut self, slot: u32) {
        self.slots.push(slot);
        self.seen.insert(slot);
    }

    fn record(&mut self, state: &mut State, op: OpContext, facts: &mut Facts) {
        if !self.slots.is_empty() {
            let slots = std::mem::take(&mut self.slots);
            self.seen.clear();
            state.count_left(&slots, op.now);
            state.record(Fact::Gone { ending: EndReason::Completed, slots, change: 0 }, facts);
        }
    }
}
