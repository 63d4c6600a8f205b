//! The loop of a runner: one task that owns everything except the handlers.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use redrive_core::{MonotonicTime, Span, SplitMix64};
use redrive_store::{Clock, random_seed};
use tokio::sync::mpsc;

use super::answers::{Extended, SettleAnswers, interval};
use super::claim_ahead::ClaimAhead;
use super::claims::Claims;
use super::clock_reading::ClockReading;
use super::destination_breakers::DestinationBreakers;
use super::entries_by_destination::EntriesByDestination;
use super::entry::{DeliveryEntries, DeliveryEntry, EntryState, Stop};
use super::health::RunnerHealth;
use super::judge::{AttemptEnd, Judge};
use super::meters::Meters;
use super::numbers::{RunnerCounters, RunnerGauges};
use super::outbox::Outbox;
use super::retry_delay::RetryDelay;
use super::running::Command;
use super::task::{AttemptEnds, NewAttempt, start_all};
use super::timer::Timer;
use super::{Liveness, RunReport, RunnerSettings};
use crate::{Cancel, Handled, Handler, Resolution, Source};

/// The state of a running runner.
pub(super) struct Engine<S: Source> {
    pub(super) source: Arc<S>,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) settings: RunnerSettings,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) judge: Judge,
    pub(super) random: SplitMix64,
    pub(super) breakers: DestinationBreakers,
    /// Claimed deliveries whose destination may not be called now.
    pub(super) parked: EntriesByDestination,
    /// Failed deliveries whose row has not ended.
    pub(super) undecided: EntriesByDestination,
    /// When each of them may be called again.
    pub(super) undecided_due: BTreeSet<(MonotonicTime, usize)>,
    /// The source has letters in retry.
    pub(super) has_letters: bool,
    /// The number of evicted breakers whose undecided deliveries are settled.
    pub(super) forgotten: u64,
    /// The claims of both whose source may withdraw them, and the signals.
    pub(super) watched: Vec<Cancel>,
    pub(super) withdrawals: FuturesUnordered<BoxFuture<'static, Cancel>>,
    pub(super) claim_ahead: ClaimAhead,
    pub(super) entries: DeliveryEntries<S::Fence>,
    /// Claimed deliveries that wait for a free slot, in order.
    pub(super) waiting: VecDeque<usize>,
    /// Attempts that are started at the end of the loop, together.
    pub(super) starting: VecDeque<NewAttempt>,
    pub(super) claims: Claims<S::Fence>,
    /// Results that the source takes at once.
    pub(super) outbox: Outbox<S::Fence>,
    /// Letters, which may take long: no other result waits for them.
    pub(super) hand_overs: Outbox<S::Fence>,
    /// Delay after a failed hand-over, before its work is delivered again.
    pub(super) hand_over_delay: RetryDelay,
    pub(super) settling: FuturesUnordered<BoxFuture<'static, SettleAnswers<S::Fence>>>,
    pub(super) extending: FuturesUnordered<BoxFuture<'static, Extended>>,
    pub(super) ends: Arc<AttemptEnds>,
    pub(super) mode: EngineMode,
    pub(super) is_paused: bool,
    pub(super) report: RunReport,
    pub(super) meters: Meters,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EngineMode {
    Working,
    /// Claims nothing new. Handlers that still run at the deadline are stopped.
    Draining {
        deadline: MonotonicTime,
    },
    /// All handlers have ended. Results that the source has not taken by the deadline are given up.
    Closing {
        deadline: MonotonicTime,
    },
}

/// How long the source has to take the results after the last handler was stopped.
const SETTLE_FOR: Span = Span::from_secs(5);

impl<S: Source> Engine<S> {
    pub(super) fn new(
        source: Arc<S>,
        handler: Arc<dyn Handler>,
        judge: Judge,
        settings: RunnerSettings,
        breakers: DestinationBreakers,
        clock: Arc<dyn Clock>,
        numbers: Arc<RunnerCounters>,
    ) -> Self {
        Self {
            meters: Meters::of(source.name(), numbers),
            judge,
            source,
            handler,
            clock,
            random: SplitMix64::new(random_seed()),
            breakers,
            parked: EntriesByDestination::default(),
            undecided: EntriesByDestination::default(),
            undecided_due: BTreeSet::new(),
            has_letters: false,
            forgotten: 0,
            watched: Vec::new(),
            withdrawals: FuturesUnordered::new(),
            claim_ahead: ClaimAhead::default(),
            is_paused: settings.starts_paused,
            settings,
            entries: DeliveryEntries::new(),
            waiting: VecDeque::new(),
            starting: VecDeque::new(),
            claims: Claims::new(),
            outbox: Outbox::new(Outbox::<S::Fence>::RESULT_CALLS_MAX),
            hand_overs: Outbox::new(Outbox::<S::Fence>::HAND_OVER_CALLS_MAX),
            hand_over_delay: RetryDelay::default(),
            settling: FuturesUnordered::new(),
            extending: FuturesUnordered::new(),
            ends: Arc::default(),
            mode: EngineMode::Working,
            report: RunReport::default(),
        }
    }

    pub(super) async fn run(mut self, mut commands: mpsc::Receiver<Command>) -> RunReport {
        let mut timer = Timer::new(Arc::clone(&self.clock));
        let ends = Arc::clone(&self.ends);
        let mut ended = Vec::new();
        let mut is_controlled = true;
        loop {
            let now = self.read_clock();
            // Ends come before deadlines: an attempt that has ended cannot time out any more.
            ends.take(&mut ended);
            for finished in ended.drain(..) {
                self.ended(finished, now);
            }
            self.process_timers(now);
            self.watch_rows(now);
            self.start_waiting(now);
            self.fill_slots(now);
            self.send_results(now);
            self.claim_work(now);
            start_all(&self.handler, std::mem::take(&mut self.starting));
            self.meters.publish(&self.report, self.gauges());
            if self.is_over(now) {
                break;
            }
            let next = self.next_time(now.monotonic);
            tokio::select! {
                biased;
                command = commands.recv(), if is_controlled => match command {
                    Some(command) => self.execute(command),
                    None => {
                        is_controlled = false;
                        self.drain(self.clock.monotonic().saturating_add(self.settings.drain));
                    }
                },
                Some(settled) = self.settling.next() => self.settled(settled),
                Some((extended, answers)) = self.extending.next() => self.extended(extended, answers),
                Some(claimed) = self.claims.waiting.next() => if let Ok((lane, claimed)) = claimed {
                    self.claimed(lane, claimed);
                },
                Some(cancel) = self.withdrawals.next() => self.return_withdrawn(&cancel),
                () = ends.added() => {}
                () = timer.until(next) => {}
            }
        }
        self.report.unsettled = self.entries.len() as u64;
        self.meters.publish(&self.report, RunnerGauges::default());
        self.report
    }

    fn gauges(&self) -> RunnerGauges {
        RunnerGauges {
            running: self.entries.running(),
            finishing: self.finishing(),
            open_breakers: self.breakers.paused.len(),
        }
    }

    // Commands

    pub(super) fn execute(&mut self, command: Command) {
        match command {
            Command::Stop { deadline } => self.drain(deadline),
            Command::Pause => {
                self.is_paused = true;
                self.claims.drop_all();
                self.return_all();
            }
            Command::Resume => self.is_paused = false,
            // The caller may have stopped waiting for the answer.
            Command::Health(reply) => drop(reply.send(self.health())),
        }
    }

    pub(super) fn drain(&mut self, deadline: MonotonicTime) {
        self.claims.drop_all();
        self.outbox.retry_delay.skip();
        self.hand_overs.retry_delay.skip();
        for key in std::mem::take(&mut self.waiting) {
            self.finish_untried(key, Resolution::Release);
        }
        self.return_all();
        self.mode = match self.mode {
            EngineMode::Working => EngineMode::Draining { deadline },
            EngineMode::Draining { deadline: earlier } => EngineMode::Draining { deadline: deadline.min(earlier) },
            closing @ EngineMode::Closing { .. } => closing,
        };
    }

    pub(super) fn is_over(&self, now: ClockReading) -> bool {
        match self.mode {
            EngineMode::Working => false,
            EngineMode::Draining { .. } => self.entries.len() == 0,
            EngineMode::Closing { deadline } => self.entries.len() == 0 || deadline <= now.monotonic,
        }
    }

    pub(super) fn health(&self) -> RunnerHealth {
        let now = self.read_clock();
        let attempts = || self.entries.attempts().map(|(_, _, attempting)| attempting);
        RunnerHealth {
            is_responsive: true,
            is_paused: self.is_paused,
            is_paused_by_outage: self.parks() && !self.breakers.all_paused().is_empty(),
            is_draining: self.mode != EngineMode::Working,
            running: self.entries.running(),
            waiting: self.parked.len() + self.undecided.len(),
            finishing: self.finishing(),
            stuck: attempts().filter(|attempting| attempting.stopped.is_some()).count(),
            oldest: attempts().map(|attempting| now.monotonic.since(attempting.started_at.monotonic)).max(),
            claim_trouble: self.claims.retry_delay.trouble().cloned(),
            settle_trouble: self.outbox.retry_delay.trouble().or(self.hand_overs.retry_delay.trouble()).cloned(),
            hand_over_trouble: self.hand_over_delay.trouble().cloned(),
            refunded: self.report.refunded,
            held: self.breakers.all_paused(),
            destinations: self.breakers.health(now),
            report: self.report,
        }
    }

    // Time

    pub(super) fn read_clock(&self) -> ClockReading {
        ClockReading::of(&*self.clock)
    }

    /// When the loop must run next, if no event comes before.
    pub(super) fn next_time(&self, now: MonotonicTime) -> Option<MonotonicTime> {
        let of_mode = match self.mode {
            EngineMode::Working => None,
            EngineMode::Draining { deadline } | EngineMode::Closing { deadline } => Some(deadline),
        };
        let is_claiming = self.mode == EngineMode::Working && !self.is_paused;
        let probe = self.breakers.next_refresh().filter(|_| is_claiming);
        let claim = self.claims.next_try().filter(|_| is_claiming);
        let results = [self.outbox.next_try(), self.hand_overs.next_try()].into_iter().flatten().min();
        let waiting = [self.undecided_due(now), self.lonely_at(now), self.faster_at(now)].into_iter().flatten().min();
        let times = [of_mode, probe, claim, results, waiting, self.entries.next_timer()];
        times.into_iter().flatten().min()
    }

    pub(super) fn process_timers(&mut self, now: ClockReading) {
        if let EngineMode::Draining { deadline } = self.mode
            && deadline <= now.monotonic
        {
            self.abort_all(now);
            self.mode = EngineMode::Closing { deadline: now.monotonic.saturating_add(SETTLE_FOR) };
        }
        while let Some(key) = self.entries.timed_out(now.monotonic) {
            if let Some(DeliveryEntry { state: EntryState::Running(attempting), .. }) = self.entries.get_mut(key)
                && attempting.stopped.is_none()
            {
                match attempting.times_out_at(now.monotonic, self.settings.timeout) {
                    at if at > now.monotonic => self.entries.postpone_timeout(key, at),
                    _ => {
                        let timer = attempting.stop(Stop::TimedOut);
                        self.entries.set_timer(key, timer);
                    }
                }
            }
        }
        let mut to_extend = Vec::new();
        while let Some(key) = self.entries.due(now.monotonic) {
            self.process_timer(key, now, &mut to_extend);
        }
        if !to_extend.is_empty() {
            self.extend(to_extend);
        }
    }

    /// Stops an attempt that lost its claim; adds a claim that is due for extension to `to_extend`.
    pub(super) fn process_timer(&mut self, key: usize, now: ClockReading, to_extend: &mut Vec<(usize, u64, S::Fence)>) {
        let (liveness, extend_every) = (self.settings.liveness, self.settings.extend_every);
        let Some(entry) = self.entries.get_mut(key) else { return };
        let interval = entry.lease.map(interval);
        let next = match &mut entry.state {
            EntryState::Finishing | EntryState::Waiting(_) | EntryState::Undecided(_) => {
                to_extend.push((key, entry.seq, entry.fence.clone()));
                interval.map(|interval| now.monotonic.saturating_add(interval))
            }
            // A stopped attempt needs no timer: its task ends, or its claim does.
            EntryState::Running(attempting) if attempting.stopped.is_some() => None,
            // The claim was not extended in time: another holder has the work, or may get it.
            EntryState::Running(attempting) if attempting.claim_until.is_some_and(|until| until < now.monotonic) => {
                attempting.stop(Stop::Lost)
            }
            EntryState::Running(attempting) => {
                if attempting.extend_at.is_some_and(|at| at <= now.monotonic) {
                    let beats = attempting.call.beats();
                    let is_alive = liveness == Liveness::Running || beats != attempting.beats;
                    attempting.beats = beats;
                    attempting.extend_at = interval
                        .map(|interval| extend_every.unwrap_or(interval))
                        .map(|interval| now.monotonic.saturating_add(interval));
                    if is_alive {
                        to_extend.push((key, entry.seq, entry.fence.clone()));
                    }
                }
                attempting.next_timer()
            }
        };
        self.entries.set_timer(key, next);
    }

    pub(super) fn abort_all(&mut self, now: ClockReading) {
        let running: Vec<(usize, u64)> = self.entries.attempts().map(|(key, seq, _)| (key, seq)).collect();
        for (key, seq) in running {
            let Some(attempting) = self.entries.finish(key, seq) else { continue };
            attempting.call.stop();
            match attempting.stopped {
                Some(Stop::Lost) => self.drop_lost(key, &attempting.call.destination.clone(), attempting.permit),
                _ if attempting.call.is_held() => {
                    self.conclude(key, attempting, AttemptEnd::Handled(Handled::Untouched), now);
                }
                Some(Stop::TimedOut) => {
                    self.conclude(key, attempting, AttemptEnd::TimedOut(self.settings.timeout), now);
                }
                None => {
                    self.report.aborted += 1;
                    self.conclude(key, attempting, AttemptEnd::Aborted, now);
                }
            }
        }
    }
}
