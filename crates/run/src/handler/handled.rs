//! What a handler says of one attempt.

use std::error::Error;

use bytes::Bytes;
use redrive_core::{Failure, Time};

/// What became of one attempt. Handlers give evidence; what it means, the policy decides.
#[derive(Debug, Clone, PartialEq)]
pub enum Handled {
    /// It is done; the result is for whoever waits for one.
    Done { result: Option<Bytes> },
    /// It failed. Of a work with named parts, [`Failure::parts`] says which: the next attempt gets only those; none
    /// for all of them.
    Failed(Box<Failure>),
    /// It was not tried, and is not to be before `until`. No attempt is spent.
    Deferred { until: Time },
    /// It was not even begun: somebody else may have it at once. No attempt is spent.
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

/// What a closure may return.
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
