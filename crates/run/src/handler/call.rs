//! One attempt at a piece of work, as its handler holds it.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use redrive_core::{Failure, Time};

use crate::Work;

/// One call of a handler: the work, and a way to show life. Clones are the same call.
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
    /// What failed inside of it.
    failure: OnceLock<Box<Failure>>,
}

impl Call {
    pub fn new(work: Arc<Work>) -> Self {
        Self::until(work, None)
    }

    /// A call that is given up at a time.
    pub fn until(work: Arc<Work>, deadline: Option<Time>) -> Self {
        let shared = CallState {
            work,
            deadline,
            beats: AtomicU32::new(0),
            is_held: AtomicBool::new(false),
            failure: OnceLock::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    pub fn work(&self) -> &Arc<Work> {
        &self.shared.work
    }

    /// When the attempt is given up: what a handler may tell whoever it calls.
    pub fn deadline(&self) -> Option<Time> {
        self.shared.deadline
    }

    /// Says that the work waits for its turn: it has not begun, and if it is stopped now, no attempt was made.
    pub fn hold(&self) {
        self.shared.is_held.store(true, Ordering::Relaxed);
    }

    /// Says that the work begins after it was held.
    pub fn begin(&self) {
        self.shared.is_held.store(false, Ordering::Relaxed);
    }

    /// Whether the work has not begun.
    pub(crate) fn is_held(&self) -> bool {
        self.shared.is_held.load(Ordering::Relaxed)
    }

    /// Shows that the work gets on. A runner that waits for it extends the claim only then.
    pub fn beat(&self) {
        self.shared.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// Something inside of it failed; the first that did is kept.
    pub(crate) fn note(&self, failure: &Failure) {
        let _is_first = self.shared.failure.set(Box::new(failure.clone()));
    }

    /// What failed inside of it, if its handler did not say so itself.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        self.shared.failure.get().map(|failure| &**failure)
    }

    /// How often life was shown.
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
