//! The loop of a runner: one task that owns everything but the handlers.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use redrive_core::{MonotonicTime, Policy, Span};
use redrive_store::Clock;
use tokio::sync::mpsc;

use super::answers::{Extended, SettleAnswers, interval};
use super::claims::Claims;
use super::clock_reading::ClockReading;
use super::entry::{DeliveryEntries, EntryState, Stop};
use super::gates::Gates;
use super::health::RunnerHealth;
use super::judge::{AttemptEnd, Judge};
use super::meters::Meters;
use super::numbers::{RunnerCounters, RunnerGauges};
use super::outbox::Outbox;
use super::pace::AttemptPace;
use super::random::RunnerRandom;
use super::running::Command;
use super::task::Finished;
use super::timer::Timer;
use super::{Liveness, RunReport, RunnerSettings};
use crate::{Handled, Handler, Resolution, Source};

/// A runner at work.
pub(super) struct Engine<S: Source> {
    pub(super) source: Arc<S>,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) settings: RunnerSettings,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) judge: Judge,
    pub(super) random: RunnerRandom,
    pub(super) gates: Gates,
    pub(super) pace: AttemptPace,
    pub(super) entries: DeliveryEntries<S::Fence>,
    /// Those that have the next places that become free.
    pub(super) next: VecDeque<usize>,
    pub(super) claims: Claims<S::Fence>,
    pub(super) outbox: Outbox<S::Fence>,
    pub(super) settling: FuturesUnordered<BoxFuture<'static, SettleAnswers<S::Fence>>>,
    pub(super) extending: FuturesUnordered<BoxFuture<'static, Extended>>,
    /// Where tasks tell of their end: there is room for one word of each.
    pub(super) told: mpsc::Sender<Finished>,
    pub(super) hear: Option<mpsc::Receiver<Finished>>,
    pub(super) mode: EngineMode,
    pub(super) is_paused: bool,
    pub(super) report: RunReport,
    pub(super) meters: Meters,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EngineMode {
    Working,
    /// Takes nothing new; handlers that are at work then are stopped.
    Draining {
        deadline: MonotonicTime,
    },
    /// All have ended; their results get this long to be handed in.
    Closing {
        deadline: MonotonicTime,
    },
}

/// How long results may take to be handed in, after the last handler was stopped.
const SETTLE_FOR: Span = Span::from_secs(5);

impl<S: Source> Engine<S> {
    pub(super) fn new(
        source: Arc<S>,
        handler: Arc<dyn Handler>,
        policy: Policy,
        settings: RunnerSettings,
        destinations: NonZeroUsize,
        clock: Arc<dyn Clock>,
        numbers: Arc<RunnerCounters>,
    ) -> Self {
        let (told, hear) = mpsc::channel(settings.concurrency);
        // A probe that is still running is no reason to send another.
        let breaker = settings.breaker.with_probes_given_up_after(settings.timeout);
        Self {
            meters: Meters::of(source.name(), numbers),
            judge: Judge::new(policy, source.keeps_successes()),
            source,
            handler,
            clock,
            random: RunnerRandom::new(),
            gates: Gates::new(breaker, destinations),
            pace: AttemptPace::default(),
            settings,
            entries: DeliveryEntries::new(),
            next: VecDeque::new(),
            claims: Claims::new(),
            outbox: Outbox::new(),
            settling: FuturesUnordered::new(),
            extending: FuturesUnordered::new(),
            told,
            hear: Some(hear),
            mode: EngineMode::Working,
            is_paused: false,
            report: RunReport::default(),
        }
    }

    pub(super) async fn run(mut self, mut commands: mpsc::Receiver<Command>) -> RunReport {
        let mut timer = Timer::new(Arc::clone(&self.clock));
        let Some(mut hear) = self.hear.take() else { return self.report };
        let mut finished = Vec::new();
        let mut is_controlled = true;
        loop {
            let now = self.read_clock();
            // What has ended by now has: no deadline stops it any more.
            while let Ok(finished) = hear.try_recv() {
                self.ended(finished, now);
            }
            self.look_at_clock(now);
            self.fill_places(now);
            self.send_results(now);
            self.ask_for_work(now);
            self.meters.tell(&self.report, self.gauges());
            if self.is_over(now) {
                break;
            }
            let next = self.next_time();
            tokio::select! {
                biased;
                command = commands.recv(), if is_controlled => match command {
                    Some(command) => self.obey(command),
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
                count = hear.recv_many(&mut finished, self.settings.concurrency) => {
                    debug_assert!(count > 0, "the engine holds a sender itself");
                    let now = self.read_clock();
                    for finished in finished.drain(..) {
                        self.ended(finished, now);
                        // Many end at once, and the first place need not wait for the last end.
                        self.fill_places(now);
                    }
                }
                () = timer.until(next) => {}
            }
        }
        self.report.unsettled = self.entries.len() as u64;
        self.meters.tell(&self.report, RunnerGauges::default());
        self.report
    }

    fn gauges(&self) -> RunnerGauges {
        RunnerGauges {
            running: self.entries.running(),
            finishing: self.finishing(),
            open_breakers: self.gates.not_closed.len(),
        }
    }

    // Commands

    pub(super) fn obey(&mut self, command: Command) {
        match command {
            Command::Stop { deadline } => self.drain(deadline),
            Command::Pause => {
                self.is_paused = true;
                self.claims.drop_all();
            }
            Command::Resume => self.is_paused = false,
            // Whoever asked may have lost patience.
            Command::Health(reply) => drop(reply.send(self.health())),
        }
    }

    pub(super) fn drain(&mut self, deadline: MonotonicTime) {
        self.claims.drop_all();
        self.outbox.patience.hurry();
        for key in std::mem::take(&mut self.next) {
            self.finish_untried(key, Resolution::Release);
        }
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
            is_draining: self.mode != EngineMode::Working,
            running: self.entries.running(),
            finishing: self.finishing(),
            stuck: attempts().filter(|attempting| attempting.stopped.is_some()).count(),
            oldest: attempts().map(|attempting| now.monotonic.since(attempting.started_at.monotonic)).max(),
            claim_trouble: self.claims.patience.trouble().cloned(),
            settle_trouble: self.outbox.patience.trouble().cloned(),
            held: self.gates.held(now.monotonic),
        }
    }

    // Time

    pub(super) fn read_clock(&self) -> ClockReading {
        ClockReading::of(&*self.clock)
    }

    /// When something is to be done, if nothing happens before.
    pub(super) fn next_time(&self) -> Option<MonotonicTime> {
        let of_mode = match self.mode {
            EngineMode::Working => None,
            EngineMode::Draining { deadline } | EngineMode::Closing { deadline } => Some(deadline),
        };
        let is_asking = self.mode == EngineMode::Working && !self.is_paused;
        let probe = self.gates.next().filter(|_| is_asking);
        let claim = self.claims.next_try().filter(|_| is_asking);
        let times = [of_mode, probe, claim, self.outbox.next_try(), self.entries.next_timer()];
        times.into_iter().flatten().min()
    }

    pub(super) fn look_at_clock(&mut self, now: ClockReading) {
        if let EngineMode::Draining { deadline } = self.mode
            && deadline <= now.monotonic
        {
            self.abort_all(now);
            self.mode = EngineMode::Closing { deadline: now.monotonic.saturating_add(SETTLE_FOR) };
        }
        let mut to_extend = Vec::new();
        while let Some(key) = self.entries.due(now.monotonic) {
            self.look_at(key, now, &mut to_extend);
        }
        if !to_extend.is_empty() {
            self.extend(to_extend);
        }
    }

    /// Stops an attempt that took too long, extends a claim that would end.
    pub(super) fn look_at(&mut self, key: usize, now: ClockReading, to_extend: &mut Vec<(usize, u64, S::Fence)>) {
        let liveness = self.settings.liveness;
        let Some(entry) = self.entries.get_mut(key) else { return };
        let interval = entry.lease.map(interval);
        let next = match &mut entry.state {
            EntryState::Finishing | EntryState::Waiting(_) => {
                to_extend.push((key, entry.seq, entry.fence.clone()));
                interval.map(|interval| now.monotonic.saturating_add(interval))
            }
            // Nothing more is done for it: it ends, or its claim does.
            EntryState::Running(attempting) if attempting.stopped.is_some() => None,
            EntryState::Running(attempting) if attempting.timeout_at <= now.monotonic => {
                attempting.stop(Stop::TimedOut)
            }
            // Nobody extended it in time: it is, or will be, somebody else's.
            EntryState::Running(attempting) if attempting.claim_until.is_some_and(|until| until < now.monotonic) => {
                attempting.stop(Stop::Lost)
            }
            EntryState::Running(attempting) => {
                if attempting.extend_at.is_some_and(|at| at <= now.monotonic) {
                    let beats = attempting.call.beats();
                    let is_alive = liveness == Liveness::Running || beats != attempting.beats;
                    attempting.beats = beats;
                    attempting.extend_at = interval.map(|interval| now.monotonic.saturating_add(interval));
                    if is_alive {
                        to_extend.push((key, entry.seq, entry.fence.clone()));
                    }
                }
                attempting.next_look()
            }
        };
        self.entries.set_timer(key, next);
    }

    pub(super) fn abort_all(&mut self, now: ClockReading) {
        let running: Vec<(usize, u64)> = self.entries.attempts().map(|(key, seq, _)| (key, seq)).collect();
        for (key, seq) in running {
            let Some(attempting) = self.entries.finish(key, seq) else { continue };
            attempting.task.abort();
            match attempting.stopped {
                Some(Stop::Lost) => self.lose(key, &attempting.call.destination.clone(), attempting.permit),
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
