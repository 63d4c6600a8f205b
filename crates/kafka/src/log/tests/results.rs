//! Claims, and the results of claims: valid ones and stale ones.

use redrive_core::{Category, DeadReason, Failure, Fingerprint, Rule, Span, Time};
use redrive_run::{DeadWork, SettleError};

use super::model::{ModelPartition, ModelRecord, ModelState};
use super::scenario::{LogScenario, RareEvent, WaitingClaim};
use crate::log::RecordFence;

/// A result of a claim, as the source reports it to the log.
#[derive(Debug, Clone, Copy)]
pub(super) enum ClaimResult {
    Finish,
    GiveBack { at: Option<Time>, is_charged: bool },
    Redeliver { at: Time },
    StartHandOver,
    HandedOver,
    HandOverFailed,
}

impl ClaimResult {
    /// The state of the record in which the result is accepted.
    const fn needs(self) -> ModelState {
        match self {
            Self::HandedOver | Self::HandOverFailed => ModelState::HandingOver,
            Self::Finish | Self::GiveBack { .. } | Self::Redeliver { .. } | Self::StartHandOver => ModelState::Claimed,
        }
    }
}

impl LogScenario {
    pub(super) fn claim(&mut self, count: usize) {
        for model in self.partitions.values_mut() {
            model.wake(self.now);
            let is_forced = self.settings.blocking_limit().is_some_and(|longest| model.force(longest, self.now));
            self.counts.add(RareEvent::Forced, u64::from(is_forced));
        }
        let yielding = || self.partitions.values().filter(|model| !model.is_draining);
        let runnable: usize = yielding().map(|model| model.runnable().len()).sum();
        let is_blocking = |model: &&ModelPartition| {
            model.first_open().is_some_and(|first| model.records[first].state == ModelState::Ready)
        };
        // The longest blocked partition first.
        let mut blocking: Vec<Time> = yielding().filter(is_blocking).map(|model| model.blocked_since).collect();
        blocking.sort_unstable();
        let claimed: Vec<RecordFence> =
            self.log.claim(count, self.now).into_iter().map(|claimed| claimed.fence).collect();
        assert_eq!(claimed.len(), count.min(runnable), "what may run is claimed");
        for (number, fence) in claimed.iter().enumerate() {
            let model = self.partitions.get_mut(&fence.epoch).unwrap();
            let index = usize::try_from(fence.seq).unwrap();
            let offset = model.records[index].offset;
            assert!(!model.is_draining && model.runnable().contains(&offset), "{offset} may not run: {model:?}");
            if let Some(blocked_since) = blocking.get(number) {
                assert_eq!((model.first_open(), model.blocked_since), (Some(index), *blocked_since), "{claimed:?}");
            }
            let record = &mut model.records[index];
            record.state = ModelState::Claimed;
            // A hand-over is no attempt, and after an attempt neither is a failure without one.
            record.is_claim_charged = !(record.is_hand_over_only || record.is_forced && record.attempts > 0);
            record.attempts += u32::from(record.is_claim_charged);
            record.deliveries += 1;
            let (_, slot) = self.log.claimed(*fence).unwrap();
            assert_eq!((fence.delivery, slot.record.offset), (record.deliveries, offset));
            assert_eq!((slot.attempts, slot.deliveries), (record.attempts, record.deliveries));
            assert_eq!(slot.is_hand_over_only(), record.is_hand_over_only);
        }
        self.fences.extend(claimed);
        self.waiter = (runnable < count).then(|| WaitingClaim { until: self.log.next_time(), is_woken: false });
    }

    pub(super) fn held_fences(&self) -> Vec<RecordFence> {
        self.fences.iter().copied().filter(|fence| self.log.is_held(*fence)).collect()
    }

    /// Reports a random result of a random claim: mostly of a valid one.
    pub(super) fn settle(&mut self) {
        let held = self.held_fences();
        let fences = if self.random.one_in(6) { &self.fences } else { &held };
        let Some(fence) = self.random.one_of(fences) else { return };
        let at = self.now.saturating_add(Span::from_millis(self.random.below(10_000) as u64));
        let result = match self.random.below(20) {
            0..=6 => ClaimResult::Finish,
            7..=8 => ClaimResult::GiveBack { at: None, is_charged: false },
            9..=12 => ClaimResult::GiveBack { at: Some(at), is_charged: self.random.one_in(2) },
            13 => ClaimResult::Redeliver { at },
            14..=16 => ClaimResult::StartHandOver,
            17..=18 => ClaimResult::HandedOver,
            _ => ClaimResult::HandOverFailed,
        };
        self.report(fence, result);
    }

    /// Reports a result to the log and to the model. A result that is not accepted must change nothing.
    pub(super) fn report(&mut self, fence: RecordFence, result: ClaimResult) {
        let accepted = self.record_of(fence).filter(|record| record.state == result.needs()).is_some();
        let answer = self.report_to_log(fence, result);
        assert_eq!(answer, if accepted { Ok(()) } else { Err(SettleError::Stale) }, "{fence:?} {result:?}");
        if !accepted {
            let is_handing_over = |record: &mut ModelRecord| record.state == ModelState::HandingOver;
            let is_stale = !self.record_of(fence).is_some_and(is_handing_over);
            self.counts.add(RareEvent::Stale, u64::from(is_stale));
            return;
        }
        let now = self.now;
        let record = self.record_of(fence).unwrap();
        let waits_until = |at: Option<Time>| at.filter(|at| *at > now).map_or(ModelState::Ready, ModelState::Waiting);
        match result {
            ClaimResult::Finish | ClaimResult::HandedOver => {
                record.state = ModelState::Done;
                let offset = record.offset;
                let broker = self.partitions[&fence.epoch].broker;
                self.brokers[broker].done.insert(offset);
            }
            ClaimResult::GiveBack { at, is_charged } => {
                record.attempts -= u32::from(!is_charged && record.is_claim_charged);
                record.state = waits_until(at);
            }
            ClaimResult::Redeliver { at } => {
                record.is_hand_over_only = true;
                record.state = waits_until(Some(at));
            }
            ClaimResult::StartHandOver => record.state = ModelState::HandingOver,
            ClaimResult::HandOverFailed => record.state = ModelState::Claimed,
        }
        self.partitions.get_mut(&fence.epoch).unwrap().note_first(now);
    }

    pub(super) fn report_to_log(&mut self, fence: RecordFence, result: ClaimResult) -> Result<(), SettleError> {
        let now = self.now;
        match result {
            ClaimResult::Finish => self.log.finish(fence, now).map(drop),
            ClaimResult::GiveBack { at, is_charged } => self.log.give_back(fence, at, is_charged, None, now),
            ClaimResult::Redeliver { at } => self.log.redeliver_for_hand_over(fence, at, None, now),
            ClaimResult::HandedOver => self.log.handed_over(fence, now),
            ClaimResult::HandOverFailed => self.log.hand_over_failed(fence, "the broker is away"),
            ClaimResult::StartHandOver => {
                let letter = self.log.start_hand_over(fence, &dead_work(), None)?;
                let at = &self.brokers[self.partitions[&fence.epoch].broker].at;
                assert_eq!((letter.fence, letter.at), (fence, at.clone()));
                let record = self.record_of(fence).unwrap();
                assert_eq!((letter.record.offset, letter.attempts), (record.offset, record.attempts));
                Ok(())
            }
        }
    }

    /// The record of a claim, if the claim is the last one of the record.
    pub(super) fn record_of(&mut self, fence: RecordFence) -> Option<&mut ModelRecord> {
        let record = self.partitions.get_mut(&fence.epoch)?.records.get_mut(usize::try_from(fence.seq).unwrap())?;
        (record.deliveries == fence.delivery && record.state != ModelState::Done).then_some(record)
    }
}

fn dead_work() -> DeadWork {
    let failure = Failure::new("no such order");
    let category = Category::Validation;
    let reason = DeadReason::Permanent { category, rule: Rule::Default };
    DeadWork { reason, category, fingerprint: Fingerprint::of(&failure), failure }
}
