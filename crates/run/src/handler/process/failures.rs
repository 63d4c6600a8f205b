//! The failures of workers: evidence for the policy.

use redrive_core::{Evidence, Failure, IoKind};

use super::ending::WorkerExit;
use super::frame::Breach;
use super::request::RequestError;

/// The worker died at work. The next attempt gets another one, so it is a broken connection: retried, and counted
/// against the destination.
pub(super) fn crashed(exit: &WorkerExit) -> Failure {
    of_kind("worker.crashed", Failure::new(format!("the worker crashed at work: {exit}")), IoKind::BrokenPipe)
}

/// The worker said something that is no answer. It says nothing about the work, which is tried again.
pub(super) fn broke_protocol(breach: &Breach) -> Failure {
    of_kind("worker.protocol", Failure::from_error(breach), IoKind::ConnectionAborted)
}

/// The work never came near a worker, and does not with the next attempt either.
pub(super) fn unsendable(error: &RequestError) -> Failure {
    of_kind("validation.worker_request", Failure::from_error(error), IoKind::InvalidInput)
}

fn of_kind(kind: &str, mut failure: Failure, evidence: IoKind) -> Failure {
    failure.error.kind = kind.parse().ok();
    failure.with_evidence(Evidence::Io(evidence))
}
