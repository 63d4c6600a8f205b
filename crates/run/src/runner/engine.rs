//! The loop of a runner: one task that owns everything but the handlers.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use redrive_core::{KeyedPermit, Policy, Span, Time};
use redrive_store::Clock;
use tokio::sync::mpsc;
use tracing::Instrument;

use super::claims::{Claims, Lane};
use super::entry::{Attempting, Entries, Entry, State, Stop, Waiting};
use super::gates::Gates;
use super::health::Health;
use super::judge::{End, Judge, Judged, Learned, Times};
use super::meters::Meters;
use super::outbox::{Outbox, Parcel};
use super::pace::Pace;
use super::random::Random;
use super::running::Command;
use super::task::{Ended, Finished, Teller, run};
use super::timer::Timer;
use super::{Liveness, Report, RunnerSettings};
use crate::{Call, Delivery, Handled, Handler, SettleError, Settlement, Source, SourceError, Verb};

/// Results that the source has answered.
struct Settled<F> {
    sent_at: Time,
    /// Whose they are, and whether they were sent before.
    owners: Vec<(usize, bool)>,
    settlements: Vec<Settlement<F>>,
    answers: Vec<Result<(), SettleError>>,
}

type Extended = (Vec<(usize, u64)>, Vec<Result<Option<Time>, SettleError>>);

/// A runner at work.
pub(super) struct Engine<S: Source> {
    source: Arc<S>,
    handler: Arc<dyn Handler>,
    settings: RunnerSettings,
    clock: Arc<dyn Clock>,
    judge: Judge,
    random: Random,
    gates: Gates,
    pace: Pace,
    entries: Entries<S::Fence>,
    /// Those that have the next places that become free.
    next: VecDeque<usize>,
    claims: Claims<S::Fence>,
    outbox: Outbox<S::Fence>,
    settling: FuturesUnordered<BoxFuture<'static, Settled<S::Fence>>>,
    extending: FuturesUnordered<BoxFuture<'static, Extended>>,
    /// Where tasks tell of their end: there is room for one word of each.
    told: mpsc::Sender<Finished>,
    hear: Option<mpsc::Receiver<Finished>>,
    mode: Mode,
    is_paused: bool,
    report: Report,
    meters: Meters,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Working,
    /// Takes nothing new; handlers that are at work then are stopped.
    Draining {
        deadline: Time,
    },
    /// All have ended; their results get this long to be handed in.
    Closing {
        deadline: Time,
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
    ) -> Self {
        let (told, hear) = mpsc::channel(settings.concurrency);
        // A probe that is still running is no reason to send another.
        let breaker = settings.breaker.with_probes_given_up_after(settings.timeout);
        Self {
            meters: Meters::of(source.name()),
            judge: Judge::new(policy, source.keeps_successes()),
            source,
            handler,
            clock,
            random: Random::new(),
            gates: Gates::new(breaker, destinations),
            pace: Pace::default(),
            settings,
            entries: Entries::new(),
            next: VecDeque::new(),
            claims: Claims::new(),
            outbox: Outbox::new(),
            settling: FuturesUnordered::new(),
            extending: FuturesUnordered::new(),
            told,
            hear: Some(hear),
            mode: Mode::Working,
            is_paused: false,
            report: Report::default(),
        }
    }

    pub(super) async fn run(mut self, mut commands: mpsc::Receiver<Command>) -> Report {
        let mut timer = Timer::new(Arc::clone(&self.clock));
        let Some(mut hear) = self.hear.take() else { return self.report };
        let mut finished = Vec::new();
        let mut is_controlled = true;
        loop {
            let now = self.clock.now();
            // What has ended by now has: no deadline stops it any more.
            while let Ok(finished) = hear.try_recv() {
                self.ended(finished, now);
            }
            self.look_at_clock(now);
            self.fill_places(now);
            self.send_results(now);
            self.ask_for_work(now);
            self.meters.tell(&self.report, self.entries.running(), self.finishing());
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
                        self.drain(self.clock.now().saturating_add(self.settings.drain));
                    }
                },
                Some(settled) = self.settling.next() => self.settled(settled),
                Some((extended, answers)) = self.extending.next() => self.extended(extended, answers),
                Some(claimed) = self.claims.waiting.next() => if let Ok((lane, claimed)) = claimed {
                    self.claimed(lane, claimed);
                },
                count = hear.recv_many(&mut finished, self.settings.concurrency) => {
                    debug_assert!(count > 0, "the engine holds a sender itself");
                    let now = self.clock.now();
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
        self.meters.tell(&self.report, 0, 0);
        self.report
    }

    // Commands

    fn obey(&mut self, command: Command) {
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

    fn drain(&mut self, deadline: Time) {
        self.claims.drop_all();
        for key in std::mem::take(&mut self.next) {
            self.finish_untried(key, Verb::Release);
        }
        self.mode = match self.mode {
            Mode::Working => Mode::Draining { deadline },
            Mode::Draining { deadline: earlier } => Mode::Draining { deadline: deadline.min(earlier) },
            closing @ Mode::Closing { .. } => closing,
        };
    }

    fn is_over(&self, now: Time) -> bool {
        match self.mode {
            Mode::Working => false,
            Mode::Draining { .. } => self.entries.len() == 0,
            Mode::Closing { deadline } => self.entries.len() == 0 || deadline <= now,
        }
    }

    fn health(&self) -> Health {
        let now = self.clock.now();
        let attempts = || self.entries.attempts().map(|(_, _, attempting)| attempting);
        Health {
            is_responsive: true,
            is_paused: self.is_paused,
            is_draining: self.mode != Mode::Working,
            running: self.entries.running(),
            finishing: self.finishing(),
            stuck: attempts().filter(|attempting| attempting.stopped.is_some()).count(),
            oldest: attempts().map(|attempting| now.since(attempting.started_at)).max(),
            claim_trouble: self.claims.trouble().cloned(),
            settle_trouble: self.outbox.trouble().cloned(),
            held: self.gates.held(now),
        }
    }

    // Time

    /// When something is to be done, if nothing happens before.
    fn next_time(&self) -> Option<Time> {
        let of_mode = match self.mode {
            Mode::Working => None,
            Mode::Draining { deadline } | Mode::Closing { deadline } => Some(deadline),
        };
        let is_asking = self.mode == Mode::Working && !self.is_paused;
        let probe = self.gates.next().filter(|_| is_asking);
        let claim = self.claims.next_try().filter(|_| is_asking);
        let times = [of_mode, probe, claim, self.outbox.next_try(), self.entries.next_timer()];
        times.into_iter().flatten().min()
    }

    fn look_at_clock(&mut self, now: Time) {
        if let Mode::Draining { deadline } = self.mode
            && deadline <= now
        {
            self.abort_all(now);
            self.mode = Mode::Closing { deadline: now.saturating_add(SETTLE_FOR) };
        }
        let mut to_extend = Vec::new();
        while let Some(key) = self.entries.due(now) {
            self.look_at(key, now, &mut to_extend);
        }
        if !to_extend.is_empty() {
            self.extend(to_extend);
        }
    }

    /// Stops an attempt that took too long, extends a claim that would end.
    fn look_at(&mut self, key: usize, now: Time, to_extend: &mut Vec<(usize, u64, S::Fence)>) {
        let liveness = self.settings.liveness;
        let Some(entry) = self.entries.get_mut(key) else { return };
        let interval = entry.lease.map(interval);
        let next = match &mut entry.state {
            State::Finishing | State::Waiting(_) => {
                to_extend.push((key, entry.seq, entry.fence.clone()));
                interval.map(|interval| now.saturating_add(interval))
            }
            // Nothing more is done for it: it ends, or its claim does.
            State::Running(attempting) if attempting.stopped.is_some() => None,
            State::Running(attempting) if attempting.timeout_at <= now => attempting.stop(Stop::TimedOut),
            // Nobody extended it in time: it is, or will be, somebody else's.
            State::Running(attempting) if attempting.claim_until.is_some_and(|until| until < now) => {
                attempting.stop(Stop::Lost)
            }
            State::Running(attempting) => {
                if attempting.extend_at.is_some_and(|at| at <= now) {
                    let beats = attempting.call.beats();
                    let is_alive = liveness == Liveness::Running || beats != attempting.beats;
                    attempting.beats = beats;
                    attempting.extend_at = interval.map(|interval| now.saturating_add(interval));
                    if is_alive {
                        to_extend.push((key, entry.seq, entry.fence.clone()));
                    }
                }
                attempting.next_look()
            }
        };
        self.entries.set_timer(key, next);
    }

    fn abort_all(&mut self, now: Time) {
        let running: Vec<(usize, u64)> = self.entries.attempts().map(|(key, seq, _)| (key, seq)).collect();
        for (key, seq) in running {
            let Some(attempting) = self.entries.finish(key, seq) else { continue };
            attempting.task.abort();
            match attempting.stopped {
                Some(Stop::Lost) => self.lose(key, &attempting.call.destination.clone(), attempting.permit),
                _ if attempting.call.is_held() => {
                    self.conclude(key, attempting, End::Handled(Handled::Untouched), now);
                }
                Some(Stop::TimedOut) => self.conclude(key, attempting, End::TimedOut(self.settings.timeout), now),
                None => {
                    self.report.aborted += 1;
                    self.conclude(key, attempting, End::Aborted, now);
                }
            }
        }
    }

    // Claiming

    fn ask_for_work(&mut self, now: Time) {
        if self.is_paused || self.mode != Mode::Working {
            return;
        }
        self.gates.look(now);
        // Results that are not taken hold no place, but are not to pile up either.
        let backlog = self.finishing().saturating_sub(self.settings.concurrency);
        let taken = self.entries.running() + self.next.len() + backlog;
        let places = self.settings.concurrency;
        let free = (places + self.pace.ahead(places)).saturating_sub(taken);
        self.claims.ask(&self.source, free, &self.gates, now);
    }

    /// How many results the source has not taken yet.
    fn finishing(&self) -> usize {
        self.entries.len() - self.entries.running() - self.next.len()
    }

    fn claimed(&mut self, lane: Lane, claimed: Result<Vec<Delivery<S::Fence>>, SourceError>) {
        self.claims.answered(lane);
        let now = self.clock.now();
        match claimed {
            Ok(deliveries) => {
                self.claims.went_well();
                for delivery in deliveries {
                    self.begin(delivery, now);
                }
            }
            Err(SourceError::Closed) => {
                tracing::info!(runner = %self.source.name(), "the source was closed");
                self.drain(now.saturating_add(self.settings.drain));
            }
            Err(error) => {
                tracing::warn!(runner = %self.source.name(), %error, "nothing could be claimed");
                self.claims.went_wrong(&error, now);
            }
        }
    }

    /// Takes a delivery in. Its attempt begins, unless there is none to make or no place for it yet.
    fn begin(&mut self, delivery: Delivery<S::Fence>, now: Time) {
        let Delivery { fence, work, deadline, is_condemned, cancel } = delivery;
        let times = Times { started_at: now, now };
        let lease = deadline.map(|deadline| deadline.since(now));
        let random = self.random.next();
        let hopeless =
            if is_condemned { Some(self.judge.condemned(&work)) } else { self.judge.spent(&work, times, random) };
        let (_, seq) = self.entries.vacant();
        let timer = lease.map(|lease| now.saturating_add(interval(lease)));
        let key = self.entries.insert(Entry { seq, fence, lease, deadline, timer, state: State::Finishing });
        match hopeless {
            Some(judged) => self.hand_in(key, judged),
            None if self.next.is_empty() && self.entries.running() < self.settings.concurrency => {
                self.start(key, Waiting { work, cancel }, now);
            }
            None => {
                self.entries.wait(key, Waiting { work, cancel });
                self.next.push_back(key);
            }
        }
    }

    /// Starts attempts where there are places.
    fn fill_places(&mut self, now: Time) {
        while self.entries.running() < self.settings.concurrency
            && let Some(key) = self.next.pop_front()
        {
            if let Some(waiting) = self.entries.take_waiting(key) {
                self.start(key, waiting, now);
            }
        }
    }

    fn start(&mut self, key: usize, Waiting { work, cancel }: Waiting, now: Time) {
        let Some(entry) = self.entries.get(key) else { return };
        let (seq, lease, deadline) = (entry.seq, entry.lease, entry.deadline);
        let permit = match self.gates.admit(&work.destination, now) {
            Ok(permit) => permit,
            Err(until) => return self.finish_untried(key, Verb::Defer { until }),
        };
        if let Some(change) = permit.transition() {
            self.meters.changed(&work.destination, change);
        }
        let timeout_at = now.saturating_add(self.settings.timeout);
        let call = Call::until(work, Some(timeout_at));
        let teller = Teller { entry: key, seq, to: self.told.clone(), ended: None };
        let attempt = run(Arc::clone(&self.handler), call.clone(), cancel, teller);
        let span = tracing::debug_span!("attempt", runner = %self.source.name(), id = %call.id, number = call.attempt);
        let task = tokio::spawn(attempt.instrument(span)).abort_handle();
        let attempting = Attempting {
            call,
            task,
            started_at: now,
            timeout_at,
            extend_at: lease.map(|lease| now.saturating_add(interval(lease))),
            claim_until: deadline,
            beats: 0,
            permit: Some(permit),
            stopped: None,
        };
        self.entries.start(key, attempting);
    }

    fn finish_untried(&mut self, key: usize, verb: Verb) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.state = State::Finishing;
        }
        self.hand_in(key, Judged { verb, attempt: None, learned: Learned::Nothing });
    }

    // Ends

    fn ended(&mut self, finished: Finished, now: Time) {
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
                End::Handled(Handled::failed(attempting.call.failure().cloned().unwrap_or_default()))
            }
            // Also in the very last moment: the claim is still its own.
            (Ended::Handled(handled), _) => End::Handled(handled),
            (Ended::Stopped, _) if attempting.call.is_held() => End::Handled(Handled::Untouched),
            (_, Some(Stop::TimedOut)) => End::TimedOut(self.settings.timeout),
            (Ended::Panicked(words), None) => End::Panicked(words),
            (Ended::Stopped, None) => End::Aborted,
        };
        self.conclude(key, attempting, end, now);
    }

    /// Decides about an attempt that has ended, and hands its result in.
    fn conclude(&mut self, key: usize, attempting: Attempting, end: End, now: Time) {
        let work = Arc::clone(attempting.call.work());
        let times = Times { started_at: attempting.started_at, now };
        #[expect(clippy::cast_precision_loss, reason = "a histogram of seconds has no use for the last microsecond")]
        self.meters.seconds.record(now.since(attempting.started_at).as_micros() as f64 / 1e6);
        self.pace.attempted(now.since(attempting.started_at));
        let random = self.random.next();
        let judged = self.judge.judge(&work, end, times, random);
        if let Learned::Fails(category) = judged.learned {
            self.meters.failed(category);
            let rule = judged.attempt.as_ref().and_then(|attempt| attempt.rule.as_deref());
            let (runner, id, number, verb) = (self.source.name(), &work.id, work.attempt, judged.verb.name());
            tracing::info!(%runner, %id, number, %category, rule, verb, "an attempt failed");
        }
        self.learn(&work.destination, attempting.permit, judged.learned, now);
        if let Some(entry) = self.entries.get(key)
            && let (None, Some(lease)) = (entry.timer, entry.lease)
        {
            self.entries.set_timer(key, Some(now.saturating_add(interval(lease))));
        }
        if matches!(judged.verb, Verb::Release) {
            // A handler that begins nothing is not to be offered the same work again and again.
            self.claims.rest(now);
        }
        self.hand_in(key, judged);
    }

    fn learn(&mut self, destination: &Arc<str>, permit: Option<KeyedPermit>, learned: Learned, now: Time) {
        let Some(permit) = permit else { return };
        if let Some(change) = self.gates.learn(destination, permit, learned, now) {
            self.meters.changed(destination, change);
        }
    }

    /// The claim was somebody else's before the attempt ended.
    fn lose(&mut self, key: usize, destination: &Arc<str>, permit: Option<KeyedPermit>) {
        self.report.lost += 1;
        self.learn(destination, permit, Learned::Nothing, Time::MIN);
        self.entries.remove(key);
    }

    // Finishing

    fn hand_in(&mut self, key: usize, judged: Judged) {
        let Some(entry) = self.entries.get(key) else { return };
        let settlement = Settlement { fence: entry.fence.clone(), verb: judged.verb, attempt: judged.attempt };
        self.outbox.push(Parcel { entry: key, settlement, is_uncertain: false });
    }

    fn send_results(&mut self, now: Time) {
        while let Some(parcels) = self.outbox.take(now) {
            let source = Arc::clone(&self.source);
            let (owners, settlements): (Vec<_>, Vec<_>) =
                parcels.into_iter().map(|parcel| ((parcel.entry, parcel.is_uncertain), parcel.settlement)).unzip();
            self.settling.push(Box::pin(async move {
                let answers = source.settle(&settlements).await;
                Settled { sent_at: now, owners, settlements, answers }
            }));
        }
    }

    fn settled(&mut self, settled: Settled<S::Fence>) {
        let Settled { sent_at, owners, settlements, answers } = settled;
        self.outbox.calls -= 1;
        let now = self.clock.now();
        self.pace.answered(now.since(sent_at));
        let mut again = Vec::new();
        let mut trouble = None;
        let none = SettleError::Unavailable("the source gave no answer".to_owned());
        let answers = answers.into_iter().chain(std::iter::repeat(Err(none)));
        for (((entry, is_uncertain), settlement), answer) in owners.into_iter().zip(settlements).zip(answers) {
            let mut parcel = Parcel { entry, settlement, is_uncertain };
            match answer {
                Ok(()) => {
                    self.entries.remove(parcel.entry);
                    self.report.count(&parcel.settlement.verb);
                }
                // It may have been our own verb, whose answer was lost.
                Err(SettleError::Stale) if parcel.is_uncertain => {
                    self.entries.remove(parcel.entry);
                    self.report.uncertain += 1;
                }
                Err(SettleError::Stale) => {
                    self.entries.remove(parcel.entry);
                    self.report.lost += 1;
                }
                Err(error @ SettleError::Unavailable(_)) => {
                    parcel.is_uncertain = true;
                    again.push(parcel);
                    trouble = Some(error);
                }
                Err(SettleError::Refused(error)) => {
                    tracing::error!(runner = %self.source.name(), error, "a result was refused; its claim runs out");
                    self.entries.remove(parcel.entry);
                    self.report.lost += 1;
                }
                Err(SettleError::HandOver(error)) => {
                    tracing::error!(runner = %self.source.name(), error, "a letter was not taken");
                    parcel.settlement.verb = Verb::Condemn;
                    self.outbox.push(parcel);
                }
            }
        }
        match trouble {
            None => self.outbox.went_well(),
            Some(error) => {
                tracing::warn!(runner = %self.source.name(), %error, "results could not be handed in");
                self.outbox.went_wrong(again, &error, now);
            }
        }
    }

    fn extend(&self, to_extend: Vec<(usize, u64, S::Fence)>) {
        let source = Arc::clone(&self.source);
        self.extending.push(Box::pin(async move {
            let (owners, fences): (Vec<_>, Vec<_>) =
                to_extend.into_iter().map(|(key, seq, fence)| ((key, seq), fence)).unzip();
            let answers = source.extend(&fences).await;
            (owners, answers)
        }));
    }

    fn extended(&mut self, owners: Vec<(usize, u64)>, answers: Vec<Result<Option<Time>, SettleError>>) {
        let now = self.clock.now();
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
                State::Running(attempting) if attempting.stopped.is_none() => {
                    let timer = attempting.stop(Stop::Lost);
                    self.entries.set_timer(key, timer);
                }
                State::Waiting(_) => {
                    self.next.retain(|next| *next != key);
                    self.entries.remove(key);
                    self.report.lost += 1;
                }
                // A result that is on its way hears of it by itself.
                State::Running(_) | State::Finishing => {}
            }
        }
    }
}

impl Report {
    fn count(&mut self, verb: &Verb) {
        let counter = match verb {
            Verb::Ack { .. } => &mut self.done,
            Verb::Retry { .. } => &mut self.retried,
            Verb::DeadLetter(_) => &mut self.dead_lettered,
            Verb::Drop => &mut self.dropped,
            Verb::Defer { .. } | Verb::Release => &mut self.deferred,
            Verb::Condemn => &mut self.condemned,
        };
        *counter += 1;
    }
}

/// How often a claim of this length is extended: a failed extension leaves time for another.
const fn interval(lease: Span) -> Span {
    let third = Span::from_micros(lease.as_micros() / 3);
    if third.is_zero() { Span::from_millis(1) } else { third }
}
