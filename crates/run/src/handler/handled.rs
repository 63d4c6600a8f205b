//! The result of one attempt.

use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Failure, Time};

/// The result of one attempt. Handlers provide evidence; the policy decides what follows from it.
#[derive(Debug, Clone, PartialEq)]
pub enum Handled {
    /// The work is done. The result is for a caller that waits for one.
    Done { result: Option<Bytes> },
    /// The work is back where it came from, and done as far as this attempt goes. The name is recorded in the attempt.
    HandedBack { to: Arc<str> },
    /// The attempt failed. For work with named parts, [`Failure::parts`] names the failed ones, and the next attempt
    /// gets only those; empty means all parts.
    Failed(Box<Failure>),
    /// No attempt was made, and none is made before `until`. No attempt is charged.
    Deferred { until: Time },
    /// No attempt was made, and the work is available at once. No attempt is charged.
    Untouched,
}

impl Handled {
    pub const DONE: Self = Self::Done { result: None };

    pub fn failed(failure: Failure) -> Self {
        Self::Failed(Box::new(failure))
    }
}

impl From<Failure> for Handled {
    fn from(failure: Failure) -> Self {
        Self::failed(failure)
    }
}

/// Return types of closures that are handlers.
pub trait IntoHandled {
    fn into_handled(self) -> Handled;
}

impl IntoHandled for Handled {
    fn into_handled(self) -> Handled {
        self
    }
}

impl IntoHandled for () {
    fn into_handled(self) -> Handled {
        Handled::DONE
    }
}

impl IntoHandled for Bytes {
    fn into_handled(self) -> Handled {
        Handled::Done { result: Some(self) }
    }
}

impl<T: IntoHandled, E: Into<Box<dyn Error + Send + Sync>>> IntoHandled for Result<T, E> {
    fn into_handled(self) -> Handled {
        match self {
            Ok(done) => done.into_handled(),
            Err(error) => Handled::failed(Failure::from_error(&*error.into())),
        }
    }
}
