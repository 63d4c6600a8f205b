//! The end of an attempt: judging it and sending the result to the source.

use std::sync::Arc;

use redrive_core::{KeyedPermit, Time};

use super::RunReport;
use super::answers::{SettleAnswers, interval};
use super::clock_reading::ClockReading;
use super::engine::Engine;
use super::entry::{Attempting, EntryState, Stop};
use super::judge::{AttemptEnd, CallSignal, Judged, Times};
use super::outages::UnservedCall;
use super::outbox::{Outbox, PendingSettlement};
use super::task::{Ended, Finished};
use crate::{Call, FinishedDelivery, Handled, Resolution, SettleError, Source};

impl<S: Source> Engine<S> {
    pub(super) fn ended(&mut self, finished: Finished, now: ClockReading) {
        let Finished { entry: key, seq, ended } = finished;
        let Some(attempting) = self.entries.finish(key, seq) else { return };
        let destination = Arc::clone(&attempting.call.destination);
        let end = match (ended, attempting.stopped) {
            // The claim is gone, so this attempt decides nothing.
            (Ended::Cancelled, _) | (_, Some(Stop::Lost)) => {
                return self.drop_lost(key, &destination, attempting.permit);
            }
            // A guard inside the attempt caught a failure that the handler did not report.
            (
                Ended::Handled(
                    Handled::Done { .. } | Handled::HandedBack { .. } | Handled::Deferred { .. } | Handled::Untouched,
                ),
                _,
            ) if attempting.call.failure().is_some() => {
                AttemptEnd::Handled(Handled::failed(attempting.call.failure().cloned().unwrap_or_default()))
            }
            // A result counts even after the timeout: the claim still holds.
            (Ended::Handled(handled), _) => AttemptEnd::Handled(handled),
            (Ended::Stopped, _) if attempting.call.is_held() => AttemptEnd::Handled(Handled::Untouched),
            (_, Some(Stop::TimedOut)) => AttemptEnd::TimedOut(self.settings.timeout),
            (Ended::Panicked(message), None) => AttemptEnd::Panicked(message),
            (Ended::Stopped, None) => AttemptEnd::Aborted,
        };
        self.conclude(key, attempting, end, now);
    }

    /// Judges an attempt that has ended, and queues its result.
    pub(super) fn conclude(&mut self, key: usize, attempting: Attempting, end: AttemptEnd, now: ClockReading) {
        let work = Arc::clone(attempting.call.work());
        let begun_at = attempting.begun_at();
        let times = Times { started_at: attempting.started_at.time_at(begun_at), now: now.time };
        self.meters.attempted(now.monotonic.since(begun_at));
        // With the time that the work waited, in which it also used its slot.
        self.claim_ahead.attempted(now.monotonic.since(attempting.started_at.monotonic));
        let random = self.random.next();
        let Attempting { call, cancel, permit, undecided, .. } = attempting;
        let calls_before = undecided.as_ref().map_or(0, |undecided| undecided.calls);
        let own_message = match &end {
            AttemptEnd::Handled(Handled::Failed(failure)) => Some(failure.message_without_answer().to_owned()),
            _ => None,
        };
        let judged = self.judge.judge(&work, end, calls_before, times, random);
        if let Some((attempt, category)) =
            judged.attempt.as_ref().and_then(|attempt| Some((attempt, attempt.category?)))
        {
            self.meters.failed(category);
            let rule = attempt.rule.as_deref();
            let (runner, id, number, resolution) =
                (self.source.name(), &work.id, work.attempt, judged.resolution.name());
            tracing::info!(%runner, %id, number, %category, rule, resolution, "attempt failed");
        }
        if let Some(entry) = self.entries.get(key)
            && let (None, Some(lease)) = (entry.timer, entry.lease)
        {
            self.entries.set_timer(key, Some(now.monotonic.saturating_add(interval(lease))));
        }
        // Without a delay, a handler that returns work untouched would get the same work again and again.
        match judged.resolution {
            // Its destination is in no claim until the breaker admits a call.
            Resolution::Release if call.is_refused() => {}
            // Several calls that are returned together are one reason to wait.
            Resolution::Release if !self.claims.untouched_delay.has_elapsed(now.monotonic) => {}
            Resolution::Release => self.claims.untouched_delay.back_off(now.monotonic),
            _ => self.claims.untouched_delay.reset(),
        }
        match judged.signal {
            CallSignal::Served => {
                let verdicts = self.breakers.served(&work, permit, begun_at, &self.meters, now.monotonic);
                if !self.breakers.is_paused(&work.destination) {
                    self.breakers.note(&work.destination, None, now.time);
                }
                self.queue_result(key, judged);
                if let Some(verdicts) = verdicts {
                    self.settle_decided(&work.destination, &verdicts);
                }
            }
            CallSignal::Failed { category, retry_after } => {
                // The health of a destination is shown without the content of letters, which its answer may quote.
                let recorded = || judged.attempt.as_ref().map(|attempt| attempt.error.clone()).unwrap_or_default();
                let own = own_message.unwrap_or_else(recorded);
                let error = if own.is_empty() { format!("it reported a {category} failure") } else { own };
                self.breakers.note(&work.destination, Some(&error), now.time);
                let failed = UnservedCall { call, cancel, permit, retry_after, calls: calls_before + 1 };
                self.failed(key, failed, judged, now);
            }
            // Nothing is known about the destination.
            CallSignal::Inconclusive => {
                self.breakers.abandoned(&work.destination, permit);
                match undecided {
                    Some(undecided) if matches!(judged.resolution, Resolution::Release) => {
                        self.keep_undecided(key, undecided);
                    }
                    _ => self.queue_result(key, judged),
                }
            }
        }
    }

    /// Stops the calls to a destination whose work has not begun: they were admitted before its breaker opened.
    pub(super) fn refuse_held(&self, destination: &Arc<str>) {
        let calls = self.entries.attempts().map(|(_, _, attempting)| &attempting.call);
        calls.filter(|call| call.destination == *destination).for_each(Call::refuse);
    }

    /// Drops an attempt whose claim ended before it.
    pub(super) fn drop_lost(&mut self, key: usize, destination: &Arc<str>, permit: Option<KeyedPermit>) {
        self.report.lost += 1;
        self.breakers.abandoned(destination, permit);
        self.entries.remove(key);
    }

    pub(super) fn queue_result(&mut self, key: usize, judged: Judged) {
        let Some(entry) = self.entries.get(key) else { return };
        let settlement =
            FinishedDelivery { fence: entry.fence.clone(), resolution: judged.resolution, attempt: judged.attempt };
        let are_letters = matches!(settlement.resolution, Resolution::DeadLetter(_));
        self.outbox_of(are_letters).push(PendingSettlement { entry: key, settlement, is_uncertain: false });
    }

    const fn outbox_of(&mut self, are_letters: bool) -> &mut Outbox<S::Fence> {
        if are_letters { &mut self.hand_overs } else { &mut self.outbox }
    }

    pub(super) fn send_results(&mut self, now: ClockReading) {
        self.send_from(false, now);
        self.send_from(true, now);
    }

    fn send_from(&mut self, are_letters: bool, now: ClockReading) {
        while let Some(pending) = self.outbox_of(are_letters).take(now.monotonic) {
            let source = Arc::clone(&self.source);
            let (owners, settlements): (Vec<_>, Vec<_>) =
                pending.into_iter().map(|one| ((one.entry, one.is_uncertain), one.settlement)).unzip();
            self.settling.push(Box::pin(async move {
                let answers = source.settle(&settlements).await;
                SettleAnswers { are_letters, sent_at: now.monotonic, owners, settlements, answers }
            }));
        }
    }

    pub(super) fn settled(&mut self, settled: SettleAnswers<S::Fence>) {
        let SettleAnswers { are_letters, sent_at, owners, settlements, answers } = settled;
        self.outbox_of(are_letters).calls -= 1;
        let now = self.read_clock();
        if !are_letters {
            self.claim_ahead.answered(now.monotonic.since(sent_at));
        }
        let (mut to_retry, mut to_redeliver) = (Vec::new(), Vec::new());
        let (mut trouble, mut failed_hand_over) = (None, None);
        let none = SettleError::Unavailable("the source returned too few answers".to_owned());
        let answers = answers.into_iter().chain(std::iter::repeat(Err(none)));
        for (((entry, is_uncertain), settlement), answer) in owners.into_iter().zip(settlements).zip(answers) {
            let mut pending = PendingSettlement { entry, settlement, is_uncertain };
            match answer {
                Ok(()) => {
                    self.entries.remove(pending.entry);
                    if are_letters {
                        self.hand_over_delay.reset();
                    }
                    self.report.count(&pending.settlement.resolution);
                }
                // The earlier send may have taken effect, with its answer lost.
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
                    to_retry.push(pending);
                    trouble = Some(error);
                }
                Err(SettleError::Refused(error)) => {
                    tracing::error!(runner = %self.source.name(), error, "result rejected; the claim will expire");
                    self.entries.remove(pending.entry);
                    self.report.lost += 1;
                }
                Err(SettleError::HandOver(error)) => {
                    tracing::error!(runner = %self.source.name(), error, "hand-over failed");
                    failed_hand_over = Some(error);
                    to_redeliver.push(pending);
                }
            }
        }
        match trouble {
            None => self.outbox_of(are_letters).retry_delay.reset(),
            Some(error) => {
                tracing::warn!(runner = %self.source.name(), %error, "settle failed");
                self.outbox_of(are_letters).retry_later(to_retry, &error, now);
            }
        }
        if let Some(error) = failed_hand_over {
            self.redeliver(to_redeliver, &error, now);
        }
    }

    /// Has work whose hand-over failed delivered again, after a growing delay.
    fn redeliver(&mut self, failed: Vec<PendingSettlement<S::Fence>>, error: &str, now: ClockReading) {
        self.hand_over_delay.failed(&error, now);
        let at = self.hand_over_delay.until().map_or(now.time, |until| now.time_at(until));
        for mut pending in failed {
            pending.settlement.resolution = Resolution::RedeliverForHandOver { at };
            self.outbox.push(pending);
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
                // An outage does not stop the work: it may be over before the claim expires.
                Err(_) => continue,
            }
            match &mut entry.state {
                EntryState::Running(attempting) if attempting.stopped.is_none() => {
                    let timer = attempting.stop(Stop::Lost);
                    self.entries.set_timer(key, timer);
                }
                EntryState::Waiting(_) | EntryState::Undecided(_) => {
                    self.forget_waiting(key);
                    self.entries.remove(key);
                    self.report.lost += 1;
                }
                // A pending result gets the answer `Stale` when it is sent.
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
            Resolution::RedeliverForHandOver { .. } => &mut self.hand_over_pending,
        };
        *counter += 1;
    }
}
