//! Failures from statuses.

use std::error::Error;

use redrive_core::{Evidence, Failure, GrpcCode, Span, Time};
use tonic::metadata::MetadataMap;
use tonic::{Code, ConnectError, Status, TimeoutExpired};

use super::retry_info::retry_delay;
use crate::handler::wire::{broken, chain, detail, retry_after};

/// The failure of a call. `named` is what was called.
pub(super) fn failure(named: &str, status: &Status, now: Time) -> Failure {
    match status.source() {
        None => answered(named, status, now),
        // A status that the library made for an error on this side.
        Some(cause) => match find::<Status>(cause) {
            Some(status) => answered(named, status, now),
            None if find::<TimeoutExpired>(cause).is_some() => late(named),
            None => broken(format!("{named} was not reached, or broke off"), Some(cause)),
        },
    }
}

/// Whether there was no connection: nothing was sent.
pub(super) fn is_unreached(status: &Status) -> bool {
    status.source().is_some_and(|cause| find::<ConnectError>(cause).is_some())
}

/// The deadline passed.
pub(super) fn late(named: &str) -> Failure {
    let evidence = Evidence::Grpc(GrpcCode::DeadlineExceeded);
    Failure::new(format!("{named} did not answer before its deadline")).with_evidence(evidence)
}

/// The server answered with an error.
fn answered(named: &str, status: &Status, now: Time) -> Failure {
    let code = code(status.code());
    let said = detail(status.message().as_bytes());
    let said = if said.is_empty() { said } else { format!(": {said}") };
    let mut failure = Failure::new(format!("{named} answered {code}{said}")).with_evidence(Evidence::Grpc(code));
    failure.answer_at = failure.error.message.len().checked_sub(said.len());
    failure.retry_after = hint(status.details(), status.metadata(), now);
    failure
}

/// The longest delay that the server asks for.
fn hint(details: &[u8], metadata: &MetadataMap, now: Time) -> Option<Span> {
    let text = |name| metadata.get(name).and_then(|value| value.to_str().ok());
    let of_header = text("retry-after").and_then(|value| retry_after(value, now));
    // A negative one asks for no retry, which is for the policy to decide.
    let pushback = text("grpc-retry-pushback-ms").and_then(|value| value.trim().parse().ok()).map(Span::from_millis);
    [retry_delay(details), of_header, pushback].into_iter().flatten().max()
}

fn code(code: Code) -> GrpcCode {
    u32::try_from(i32::from(code)).ok().and_then(GrpcCode::from_number).unwrap_or(GrpcCode::Unknown)
}

fn find<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    chain(error).find_map(|link| link.downcast_ref())
}
