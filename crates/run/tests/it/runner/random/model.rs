//! The model: what the handlers observed, and the state that each piece of work must have as a result.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::{RetryPolicy, Span, Time};

/// The attempt limit of an item, in the policy and in the queue.
pub(super) const ATTEMPTS: u32 = 3;
/// The retry limit of a letter.
pub(super) const RETRIES: u32 = 2;
/// The delay between two attempts of an item.
pub(super) const DELAY: Span = Span::from_secs(10);

/// The expected state of one piece of work.
#[derive(Debug, Clone, Default)]
pub(super) struct WorkState {
    /// Charged attempts of the item.
    pub(super) charged: u32,
    /// Failed retries of the letter.
    pub(super) retries: u32,
    /// Recorded attempts.
    pub(super) records: u32,
    pub(super) is_dead: bool,
    pub(super) is_archived: bool,
    /// A handler returned success while its claim was valid.
    pub(super) is_done: bool,
    /// It was completed as a letter.
    pub(super) is_done_letter: bool,
    /// A handler runs under the current claim.
    pub(super) is_running: bool,
    pub(super) not_before: Option<Time>,
    /// The number of the current claim; results under older numbers are stale.
    pub(super) claim: u64,
    /// How often a handler started.
    pub(super) starts: u32,
    /// An attempt ended without a record, because the letter was archived.
    pub(super) has_unrecorded_attempt: bool,
    /// The state if the latest failure is not charged: it was that of a probe of a destination that is down. A handler does
    /// not know whether it probes.
    pub(super) if_uncharged: Option<Box<Self>>,
}

impl WorkState {
    /// Decides whether the latest failure was charged, by what is known now.
    pub(super) fn resolve_charge(&mut self, fits: impl Fn(&Self) -> bool) {
        if let Some(uncharged) = self.if_uncharged.take()
            && !fits(self)
            && fits(&uncharged)
        {
            *self = *uncharged;
        }
    }

    fn next_attempt(&self) -> u32 {
        if self.is_dead { self.retries + 2 } else { self.charged + 1 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HandlerResult {
    Done,
    Transient,
    Permanent,
    Deferred(Time),
    Untouched,
    /// No result: the handler was dropped.
    TimedOut,
    /// The same, at a shutdown.
    Aborted,
}

#[derive(Debug)]
pub(super) struct Model {
    inner: Mutex<Inner>,
    /// The retry policy of the letters in this scenario.
    pub(super) policy: RetryPolicy,
    /// Claims may expire: only the rules that hold even then are checked.
    pub(super) has_faults: bool,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) work: BTreeMap<String, WorkState>,
    pub(super) problems: Vec<String>,
    pub(super) running: usize,
}

impl Inner {
    /// The number of handlers that run under claims of a queue. The name of an item begins with that of its queue.
    pub(super) fn running_in(&self, queue: &str, dead_queue: &str) -> usize {
        let is_in = |name: &str, state: &WorkState| match state.is_dead {
            true => queue == dead_queue,
            false => name.strip_prefix(queue).is_some_and(|rest| rest.starts_with('-')),
        };
        self.work.iter().filter(|(name, state)| state.is_running && is_in(name, state)).count()
    }
}

impl Model {
    pub(super) fn new(policy: RetryPolicy, has_faults: bool) -> Self {
        Self { inner: Mutex::default(), policy, has_faults }
    }

    pub(super) fn read(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the start of a handler; returns the number of its claim and of its start.
    pub(super) fn begin(&self, name: &str, is_letter: bool, attempt: u32, now: Time) -> (u64, u32) {
        let has_faults = self.has_faults;
        let mut inner = self.read();
        inner.running += 1;
        let Inner { work, problems, .. } = &mut *inner;
        let Some(state) = work.get_mut(name) else {
            problems.push(format!("{name} was never produced"));
            return (0, 0);
        };
        state.resolve_charge(|state| (state.is_dead, state.next_attempt()) == (is_letter, attempt));
        let mut check = |is_right: bool, what: &str| {
            if !is_right {
                problems.push(format!("{name} {what} (attempt {attempt}, letter {is_letter}, at {now}): {state:?}"));
            }
        };
        let most = if is_letter { RETRIES + 1 } else { ATTEMPTS };
        check(attempt <= most || is_letter && attempt <= most + state.retries, "is tried too often");
        if !has_faults {
            check(!state.is_done, "is tried after it was done");
            check(!state.is_running, "is tried by two handlers at a time");
            check(!state.is_archived, "is tried though it is archived");
            check(is_letter == state.is_dead, "is tried in the wrong queue");
            check(state.not_before.is_none_or(|not_before| not_before <= now), "is tried before it is due");
            check(attempt == state.next_attempt(), "has an unexpected attempt number");
        }
        state.is_running = true;
        state.starts += 1;
        (state.claim, state.starts)
    }

    /// Records the end of a handler. With a breaker, its failure may be uncharged.
    pub(super) fn end(
        &self,
        name: &str,
        (is_letter, has_breaker): (bool, bool),
        claim: u64,
        result: HandlerResult,
        now: Time,
    ) {
        let mut inner = self.read();
        inner.running -= 1;
        let Some(state) = inner.work.get_mut(name).filter(|state| state.claim == claim) else { return };
        state.is_running = false;
        state.not_before = None;
        match result {
            HandlerResult::Done => {
                state.is_done = true;
                state.is_done_letter = is_letter;
                state.records += u32::from(is_letter);
            }
            HandlerResult::Deferred(until) => state.not_before = Some(until),
            HandlerResult::Untouched => {}
            HandlerResult::Aborted if !is_letter => state.records += 1,
            HandlerResult::Transient | HandlerResult::Permanent | HandlerResult::TimedOut | HandlerResult::Aborted => {
                state.records += 1;
                let before = state.clone();
                self.record_failure(state, is_letter, result == HandlerResult::Permanent, now);
                let is_passing = result != HandlerResult::Permanent;
                // Its delay is that of a charged attempt, or longer.
                let delay = if is_letter { self.delay(before.retries + 1) } else { DELAY };
                let uncharged = WorkState { not_before: Some(now.saturating_add(delay)), ..before };
                state.if_uncharged = (has_breaker && is_passing).then(|| Box::new(uncharged));
            }
        }
    }

    /// Records a failed attempt that is charged.
    pub(super) fn record_failure(&self, state: &mut WorkState, is_letter: bool, is_permanent: bool, now: Time) {
        if is_letter {
            state.retries += 1;
            state.not_before = Some(now.saturating_add(self.delay(state.retries)));
            return;
        }
        state.charged += 1;
        state.is_dead = is_permanent || state.charged >= ATTEMPTS;
        let delay = if state.is_dead { self.delay(0) } else { DELAY };
        state.not_before = Some(now.saturating_add(delay));
    }

    /// The delay of a letter after this number of failed retries.
    fn delay(&self, retries: u32) -> Span {
        match self.policy {
            RetryPolicy::Linear => Span::from_mins(5).saturating_mul(u64::from(retries) + 1),
            _ => Span::ZERO,
        }
    }
}
