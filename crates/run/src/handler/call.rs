//! The handler's view of one attempt.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use redrive_core::{Failure, Time};
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
    beats: AtomicU32,
    is_held: AtomicBool,
    /// The runner has stopped the call.
    is_stopped: AtomicBool,
    /// The task of the call, once it has one.
    task: OnceLock<AbortHandle>,
    /// The first failure that a guard inside of the call caught.
    failure: OnceLock<Box<Failure>>,
}

impl Call {
    pub fn new(work: Arc<Work>) -> Self {
        Self::until(work, None)
    }

    /// A call with a deadline.
    pub fn until(work: Arc<Work>, deadline: Option<Time>) -> Self {
        let shared = CallState {
            work,
            deadline,
            beats: AtomicU32::new(0),
            is_held: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
            task: OnceLock::new(),
            failure: OnceLock::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    pub fn work(&self) -> &Arc<Work> {
        &self.shared.work
    }

    /// When the runner stops the attempt. A handler may pass it on to the service that it calls.
    pub fn deadline(&self) -> Option<Time> {
        self.shared.deadline
    }

    /// Marks the work as not started, while it waits for a resource. If the call is stopped now, no attempt is charged.
    pub fn hold(&self) {
        self.shared.is_held.store(true, Ordering::Relaxed);
    }

    /// Marks the work as started after [`hold`](Self::hold).
    pub fn begin(&self) {
        self.shared.is_held.store(false, Ordering::Relaxed);
    }

    /// Whether the work has not started.
    pub(crate) fn is_held(&self) -> bool {
        self.shared.is_held.load(Ordering::Relaxed)
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
