//! Bringing work to its end: what an attempt came to, and telling the source.

use std::sync::Arc;

use redrive_core::{KeyedPermit, MonotonicTime, Time};

use super::RunReport;
use super::answers::{SettleAnswers, interval};
use super::clock_reading::ClockReading;
use super::engine::Engine;
use super::entry::{Attempting, EntryState, Stop};
use super::judge::{AttemptEnd, Judged, Learned, Times};
use super::outbox::PendingSettlement;
use super::task::{Ended, Finished};
use crate::{FinishedDelivery, Handled, Resolution, SettleError, Source};

impl<S: Source> Engine<S> {
    pub(super) fn ended(&mut self, finished: Finished, now: ClockReading) {
        let Finished { entry: key, seq, ended } = finished;
        let Some(attempting) = self.entries.finish(key, seq) else { return };
        let destination = Arc::clone(&attempting.call.destination);
        let end = match (ended, attempting.stopped) {
            // Whoever decided meanwhile, it was not this attempt.
            (Ended::Cancelled, _) | (_, Some(Stop::Lost)) => return self.lose(key, &destination, attempting.permit),
            // A guard inside of it caught a failure that its handler says nothing about.
            (Ended::Handled(Handled::Done { .. } | Handled::Deferred { .. } | Handled::Untouched), _)
                if attempting.call.failure().is_some() =>
            {
                AttemptEnd::Handled(Handled::failed(attempting.call.failure().cloned().unwrap_or_default()))
            }
            // Also in the very last moment: the claim is still its own.
            (Ended::Handled(handled), _) => AttemptEnd::Handled(handled),
            (Ended::Stopped, _) if attempting.call.is_held() => AttemptEnd::Handled(Handled::Untouched),
            (_, Some(Stop::TimedOut)) => AttemptEnd::TimedOut(self.settings.timeout),
            (Ended::Panicked(words), None) => AttemptEnd::Panicked(words),
            (Ended::Stopped, None) => AttemptEnd::Aborted,
        };
        self.conclude(key, attempting, end, now);
    }

    /// Decides about an attempt that has ended, and hands its result in.
    pub(super) fn conclude(&mut self, key: usize, attempting: Attempting, end: AttemptEnd, now: ClockReading) {
        let work = Arc::clone(attempting.call.work());
        let times = Times { started_at: attempting.started_at.time, now: now.time };
        let took = now.monotonic.since(attempting.started_at.monotonic);
        self.meters.attempted(took);
        self.pace.attempted(took);
        let random = self.random.next();
        let judged = self.judge.judge(&work, end, times, random);
        if let Learned::Fails(category) = judged.learned {
            self.meters.failed(category);
            let rule = judged.attempt.as_ref().and_then(|attempt| attempt.rule.as_deref());
            let (runner, id, number, resolution) =
                (self.source.name(), &work.id, work.attempt, judged.resolution.name());
            tracing::info!(%runner, %id, number, %category, rule, resolution, "an attempt failed");
        }
        self.learn(&work.destination, attempting.permit, judged.learned, now.monotonic);
        if let Some(entry) = self.entries.get(key)
            && let (None, Some(lease)) = (entry.timer, entry.lease)
        {
            self.entries.set_timer(key, Some(now.monotonic.saturating_add(interval(lease))));
        }
        // A handler that begins nothing is not to be offered the same work again and again.
        match judged.resolution {
            Resolution::Release => self.claims.rest.rest(now.monotonic),
            _ => self.claims.rest.went_well(),
        }
        self.hand_in(key, judged);
    }

    pub(super) fn learn(
        &mut self,
        destination: &Arc<str>,
        permit: Option<KeyedPermit>,
        learned: Learned,
        now: MonotonicTime,
    ) {
        let Some(permit) = permit else { return };
        if let Some(change) = self.gates.learn(destination, permit, learned, now) {
            self.meters.changed(destination, change);
        }
    }

    /// The claim was somebody else's before the attempt ended.
    pub(super) fn lose(&mut self, key: usize, destination: &Arc<str>, permit: Option<KeyedPermit>) {
        self.report.lost += 1;
        self.learn(destination, permit, Learned::Nothing, MonotonicTime::ZERO);
        self.entries.remove(key);
    }

    pub(super) fn hand_in(&mut self, key: usize, judged: Judged) {
        let Some(entry) = self.entries.get(key) else { return };
        let settlement =
            FinishedDelivery { fence: entry.fence.clone(), resolution: judged.resolution, attempt: judged.attempt };
        self.outbox.push(PendingSettlement { entry: key, settlement, is_uncertain: false });
    }

    pub(super) fn send_results(&mut self, now: ClockReading) {
        while let Some(pending) = self.outbox.take(now.monotonic) {
            let source = Arc::clone(&self.source);
            let (owners, settlements): (Vec<_>, Vec<_>) =
                pending.into_iter().map(|one| ((one.entry, one.is_uncertain), one.settlement)).unzip();
            self.settling.push(Box::pin(async move {
                let answers = source.settle(&settlements).await;
                SettleAnswers { sent_at: now.monotonic, owners, settlements, answers }
            }));
        }
    }

    pub(super) fn settled(&mut self, settled: SettleAnswers<S::Fence>) {
        let SettleAnswers { sent_at, owners, settlements, answers } = settled;
        self.outbox.calls -= 1;
        let now = self.read_clock();
        self.pace.answered(now.monotonic.since(sent_at));
        let mut again = Vec::new();
        let mut trouble = None;
        let none = SettleError::Unavailable("the source gave no answer".to_owned());
        let answers = answers.into_iter().chain(std::iter::repeat(Err(none)));
        for (((entry, is_uncertain), settlement), answer) in owners.into_iter().zip(settlements).zip(answers) {
            let mut pending = PendingSettlement { entry, settlement, is_uncertain };
            match answer {
                Ok(()) => {
                    self.entries.remove(pending.entry);
                    self.report.count(&pending.settlement.resolution);
                }
                // It may have been our own resolution, whose answer was lost.
                Err(SettleError::Stale) if pending.is_uncertain => {
                    self.entries.remove(pending.entry);
                    self.report.uncertain += 1;
                }
                Err(SettleError::Stale) => {
                    self.entries.remove(pending.entry);
                    self.report.lost += 1;
                }
                Err(error @ SettleError::Unavailable(_)) => {
                    pending.is_uncertain = true;
                    again.push(pending);
                    trouble = Some(error);
                }
                Err(SettleError::Refused(error)) => {
                    tracing::error!(runner = %self.source.name(), error, "a result was refused; its claim runs out");
                    self.entries.remove(pending.entry);
                    self.report.lost += 1;
                }
                Err(SettleError::HandOver(error)) => {
                    tracing::error!(runner = %self.source.name(), error, "a letter was not taken");
                    pending.settlement.resolution = Resolution::RedeliverForHandOver;
                    self.outbox.push(pending);
                }
            }
        }
        match trouble {
            None => self.outbox.patience.went_well(),
            Some(error) => {
                tracing::warn!(runner = %self.source.name(), %error, "results could not be handed in");
                self.outbox.went_wrong(again, &error, now);
            }
        }
    }

    pub(super) fn extend(&self, to_extend: Vec<(usize, u64, S::Fence)>) {
        let source = Arc::clone(&self.source);
        self.extending.push(Box::pin(async move {
            let (owners, fences): (Vec<_>, Vec<_>) =
                to_extend.into_iter().map(|(key, seq, fence)| ((key, seq), fence)).unzip();
            let answers = source.extend(&fences).await;
            (owners, answers)
        }));
    }

    pub(super) fn extended(&mut self, owners: Vec<(usize, u64)>, answers: Vec<Result<Option<Time>, SettleError>>) {
        let now = self.read_clock();
        for ((key, seq), answer) in owners.into_iter().zip(answers) {
            let Some(entry) = self.entries.get_mut(key).filter(|entry| entry.seq == seq) else { continue };
            match answer {
                Ok(deadline) => {
                    entry.extended(deadline, now);
                    continue;
                }
                Err(SettleError::Stale) => {}
                // An outage is no reason to stop the work: it may be over before the claim is.
                Err(_) => continue,
            }
            match &mut entry.state {
                EntryState::Running(attempting) if attempting.stopped.is_none() => {
                    let timer = attempting.stop(Stop::Lost);
                    self.entries.set_timer(key, timer);
                }
                EntryState::Waiting(_) => {
                    self.next.retain(|next| *next != key);
                    self.entries.remove(key);
                    self.report.lost += 1;
                }
                // A result that is on its way hears of it by itself.
                EntryState::Running(_) | EntryState::Finishing => {}
            }
        }
    }
}

impl RunReport {
    fn count(&mut self, resolution: &Resolution) {
        let counter = match resolution {
            Resolution::Ack { .. } => &mut self.done,
            Resolution::Retry { .. } => &mut self.retried,
            Resolution::DeadLetter(_) => &mut self.dead_lettered,
            Resolution::Drop => &mut self.dropped,
            Resolution::Defer { .. } | Resolution::Release => &mut self.deferred,
            Resolution::RedeliverForHandOver => &mut self.condemned,
        };
        *counter += 1;
    }
}
