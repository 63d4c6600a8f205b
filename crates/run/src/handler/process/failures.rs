//! Failures of workers, with evidence for the classifier.

use redrive_core::{Evidence, Failure, IoKind};

use super::exit::WorkerExit;
use super::frame::Breach;
use super::request::RequestError;

/// The worker died during the call. Classified as a broken connection: it is retried with another worker, and counted
/// against the destination.
pub(super) fn crashed(exit: &WorkerExit) -> Failure {
    of_kind("worker.crashed", Failure::new(format!("the worker crashed at work: {exit}")), IoKind::BrokenPipe)
}

/// The worker violated the protocol. This says nothing about the work, which is retried.
pub(super) fn broke_protocol(breach: &Breach) -> Failure {
    of_kind("worker.protocol", Failure::from_error(breach), IoKind::ConnectionAborted)
}

/// The work cannot be sent to a worker, also not with the next attempt.
pub(super) fn unsendable(error: &RequestError) -> Failure {
    of_kind("validation.worker_request", Failure::from_error(error), IoKind::InvalidInput)
}

fn of_kind(kind: &str, mut failure: Failure, evidence: IoKind) -> Failure {
    failure.error.kind = kind.parse().ok();
    failure.with_evidence(Evidence::Io(evidence))
}
