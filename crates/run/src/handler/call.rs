//! The handler's view of one attempt.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use redrive_core::{Failure, MonotonicTime, Span, Time};
use redrive_store::Clock;
use tokio::task::AbortHandle;

use crate::Work;

/// One call of a handler: the work and its liveness signal. Clones refer to the same call.
#[derive(Debug, Clone)]
pub struct Call {
    shared: Arc<CallState>,
}

#[derive(Debug)]
struct CallState {
    work: Arc<Work>,
    deadline: Option<Time>,
    /// The times of a call of a runner.
    times: Option<CallTimes>,
    beats: AtomicU32,
    /// [`BEGUN`], [`HELD`] or [`REFUSED`].
    phase: AtomicU8,
    /// The work must not begin any more.
    is_refused: AtomicBool,
    /// The runner has stopped the call.
    is_stopped: AtomicBool,
    /// The task of the call, once it has one.
    task: OnceLock<AbortHandle>,
    /// The destination was not reached.
    was_not_sent: AtomicBool,
    /// The first failure that a guard inside of the call caught.
    failure: OnceLock<Box<Failure>>,
}

/// The work has begun, as far as the runner knows.
const BEGUN: u8 = 0;
/// The work waits for a resource.
const HELD: u8 = 1;
/// The work was refused while it waited, and does not begin.
const REFUSED: u8 = 2;

/// When a call started, and when its work did.
#[derive(Debug)]
struct CallTimes {
    clock: Arc<dyn Clock>,
    started_at: MonotonicTime,
    /// Later than the start if the work had to wait, in microseconds of the monotonic clock.
    begun_at: AtomicU64,
}

impl CallTimes {
    fn begun_at(&self) -> MonotonicTime {
        MonotonicTime::from_micros(self.begun_at.load(Ordering::Acquire))
    }
}

impl Call {
    pub fn new(work: Arc<Work>) -> Self {
        Self::until(work, None)
    }

    /// A call with a deadline.
    pub fn until(work: Arc<Work>, deadline: Option<Time>) -> Self {
        Self::timed(work, deadline, None)
    }

    /// A call of a runner, whose work must end before the deadline, or later by as much as it has to wait.
    pub(crate) fn started(work: Arc<Work>, deadline: Time, clock: Arc<dyn Clock>, started_at: MonotonicTime) -> Self {
        let begun_at = AtomicU64::new(started_at.as_micros());
        Self::timed(work, Some(deadline), Some(CallTimes { clock, started_at, begun_at }))
    }

    fn timed(work: Arc<Work>, deadline: Option<Time>, times: Option<CallTimes>) -> Self {
        let shared = CallState {
            work,
            deadline,
            times,
            beats: AtomicU32::new(0),
            phase: AtomicU8::new(BEGUN),
            is_refused: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
            task: OnceLock::new(),
            was_not_sent: AtomicBool::new(false),
            failure: OnceLock::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    pub fn work(&self) -> &Arc<Work> {
        &self.shared.work
    }

    /// When the runner stops the attempt. A handler may pass it on to the service that it calls, once the work has
    /// begun.
    pub fn deadline(&self) -> Option<Time> {
        let times = self.shared.times.as_ref();
        let waited = times.map_or(Span::ZERO, |times| times.begun_at().since(times.started_at));
        self.shared.deadline.map(|deadline| deadline.saturating_add(waited))
    }

    /// Marks the work as not started, while it waits for a resource. If the call is stopped now, no attempt is charged,
    /// and it does not time out. The runner stops it when the circuit breaker of its destination opens.
    pub fn hold(&self) {
        // A call that was stopped after its work began stays so.
        if self.is_stopped() {
            return;
        }
        let _is_new = self.shared.phase.compare_exchange(BEGUN, HELD, Ordering::SeqCst, Ordering::SeqCst);
        if self.is_refused() {
            self.refuse();
        }
    }

    /// Marks the work as started after [`hold`](Self::hold). The timeout of the attempt counts from now. Returns `false` if
    /// the runner has stopped the call meanwhile: then the work must not start, and is
    /// [`Untouched`](crate::Handled::Untouched).
    #[must_use]
    pub fn begin(&self) -> bool {
        if self.is_held() {
            // Before the mark: the runner must not see a call that has begun with the time of its start.
            if let Some(times) = &self.shared.times {
                times.begun_at.store(times.clock.monotonic().as_micros(), Ordering::Release);
            }
            // In one order with the stop of the call: either the runner sees that the work has begun, or the work does not
            // begin. Work that was refused stays held.
            let _is_begun = self.shared.phase.compare_exchange(HELD, BEGUN, Ordering::SeqCst, Ordering::SeqCst);
        }
        !self.is_held() && !self.is_stopped()
    }

    /// Whether the work has not started.
    pub(crate) fn is_held(&self) -> bool {
        self.shared.phase.load(Ordering::SeqCst) != BEGUN
    }

    /// Stops the call if its work has not begun, now or when it is held again. Work that has begun goes on.
    pub(crate) fn refuse(&self) {
        self.shared.is_refused.store(true, Ordering::SeqCst);
        let refused = self.shared.phase.compare_exchange(HELD, REFUSED, Ordering::SeqCst, Ordering::SeqCst);
        if refused.is_ok() {
            self.stop();
        }
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.shared.is_refused.load(Ordering::SeqCst)
    }

    /// When the work began, for a call of a runner.
    pub(crate) fn begun_at(&self) -> Option<MonotonicTime> {
        self.shared.times.as_ref().map(CallTimes::begun_at)
    }

    /// Stops the call: its task is aborted, and a call that has not begun does not begin.
    pub(crate) fn stop(&self) {
        self.shared.is_stopped.store(true, Ordering::SeqCst);
        if let Some(task) = self.shared.task.get() {
            task.abort();
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.is_stopped.load(Ordering::SeqCst)
    }

    /// Notes the task of the call. If the call was stopped meanwhile, the task is aborted.
    pub(crate) fn runs_in(&self, task: AbortHandle) {
        let _is_first = self.shared.task.set(task);
        if self.is_stopped() {
            self.stop();
        }
    }

    /// Signals progress. With [`Liveness::Beats`](crate::Liveness::Beats) the runner extends the claim only after a
    /// beat.
    pub fn beat(&self) {
        self.shared.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that nothing was sent to the destination: it could not be reached. The failure that the handler then
    /// returns spends no attempt while outages pause the work ([`OnOutage::Pause`](redrive_core::OnOutage::Pause)).
    pub fn not_sent(&self) {
        self.shared.was_not_sent.store(true, Ordering::Relaxed);
    }

    pub(crate) fn was_sent(&self) -> bool {
        !self.shared.was_not_sent.load(Ordering::Relaxed)
    }

    /// Records a failure inside of the call. Only the first one is kept.
    pub(crate) fn record_failure(&self, failure: &Failure) {
        let _is_first = self.shared.failure.set(Box::new(failure.clone()));
    }

    /// The recorded failure, which counts if the handler does not return one.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        self.shared.failure.get().map(|failure| &**failure)
    }

    /// The number of beats so far.
    pub(crate) fn beats(&self) -> u32 {
        self.shared.beats.load(Ordering::Relaxed)
    }
}

impl Deref for Call {
    type Target = Work;

    fn deref(&self) -> &Work {
        &self.shared.work
    }
}
