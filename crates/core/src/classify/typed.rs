//! The categories of typed evidence. `None` means that the evidence is inconclusive and the text decides.

use crate::{Category, Evidence, GrpcCode, IoKind, SqlState};

/// The category of a piece of evidence. `limits_rate` returns whether the text of the error names a rate limit; it is
/// called only for a 403.
pub(super) fn category_of(evidence: &Evidence, limits_rate: impl FnOnce() -> bool) -> Option<Category> {
    match evidence {
        Evidence::Refused { .. } => Some(Category::Transient),
        Evidence::Http { status: 403, rate_limited } => {
            Some(if *rate_limited || limits_rate() { Category::Transient } else { Category::Permission })
        }
        Evidence::Http { status, .. } => http(*status),
        Evidence::Grpc(code) => grpc(*code),
        Evidence::Io(kind) => io(*kind),
        Evidence::Sql(state) => sql(*state),
    }
}

/// The category of an HTTP status; `None` below 400 and above 599. Does not consider that a 403 may be throttled.
pub(super) fn http(status: u16) -> Option<Category> {
    Some(match status {
        408 | 504 | 520..=524 | 598 | 599 => Category::Network,
        507 => Category::Resource,
        401 | 403 | 407 | 451 | 511 => Category::Permission,
        400 | 405 | 406 | 411..=417 | 422 | 428 | 431 => Category::Validation,
        501 | 505 => Category::Permanent,
        409 | 421 | 423 | 425 | 429 | 500..=599 => Category::Transient,
        // 402, 404, 410 and undefined statuses: the same request gets the same response.
        400..=499 => Category::Permanent,
        _ => return None,
    })
}

fn grpc(code: GrpcCode) -> Option<Category> {
    Some(match code {
        GrpcCode::Aborted | GrpcCode::Unavailable => Category::Transient,
        GrpcCode::DeadlineExceeded => Category::Network,
        GrpcCode::ResourceExhausted => Category::Resource,
        GrpcCode::PermissionDenied | GrpcCode::Unauthenticated => Category::Permission,
        GrpcCode::InvalidArgument | GrpcCode::OutOfRange => Category::Validation,
        GrpcCode::Cancelled
        | GrpcCode::NotFound
        | GrpcCode::AlreadyExists
        | GrpcCode::FailedPrecondition
        | GrpcCode::Unimplemented
        | GrpcCode::DataLoss => Category::Permanent,
        GrpcCode::Unknown | GrpcCode::Internal => return None,
    })
}

fn io(kind: IoKind) -> Option<Category> {
    Some(match kind {
        IoKind::WouldBlock
        | IoKind::Interrupted
        | IoKind::ResourceBusy
        | IoKind::ExecutableFileBusy
        | IoKind::Deadlock => Category::Transient,
        IoKind::ConnectionRefused
        | IoKind::ConnectionReset
        | IoKind::ConnectionAborted
        | IoKind::NotConnected
        | IoKind::BrokenPipe
        | IoKind::TimedOut
        | IoKind::HostUnreachable
        | IoKind::NetworkUnreachable
        | IoKind::NetworkDown
        | IoKind::AddrNotAvailable
        | IoKind::UnexpectedEof
        | IoKind::StaleNetworkFileHandle => Category::Network,
        IoKind::OutOfMemory | IoKind::StorageFull | IoKind::QuotaExceeded | IoKind::FileTooLarge => Category::Resource,
        IoKind::PermissionDenied | IoKind::ReadOnlyFilesystem => Category::Permission,
        IoKind::InvalidInput | IoKind::InvalidData | IoKind::InvalidFilename | IoKind::ArgumentListTooLong => {
            Category::Validation
        }
        IoKind::NotFound | IoKind::AlreadyExists | IoKind::Unsupported => Category::Permanent,
        IoKind::Other => return None,
    })
}

fn sql(state: SqlState) -> Option<Category> {
    let code = state.as_str();
    Some(match (&code[..2], code) {
        (_, "40001" | "40P01" | "55P03" | "57P01" | "57P02" | "57P03") => Category::Transient,
        (_, "42501") | ("28", _) => Category::Permission,
        ("08", _) => Category::Network,
        ("53", _) => Category::Resource,
        ("22" | "23", _) => Category::Validation,
        ("42", _) => Category::Permanent,
        _ => return None,
    })
}
