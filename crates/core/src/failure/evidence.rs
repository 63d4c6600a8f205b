//! Typed evidence: codes that are classified without parsing text.

use crate::closed_set::closed_set;
use crate::{IoKind, SqlState, Time};

/// A code of an error with a fixed meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The work was not attempted: an open breaker or a local shutdown refused it.
    Refused {
        until: Option<Time>,
    },
    /// The status of an HTTP response. `rate_limited` is set if a response header reports that a rate limit was hit,
    /// which distinguishes a throttled 403 from a forbidden one.
    Http {
        status: u16,
        rate_limited: bool,
    },
    Grpc(GrpcCode),
    Io(IoKind),
    Sql(SqlState),
}

impl Evidence {
    pub const fn http(status: u16) -> Self {
        Self::Http { status, rate_limited: false }
    }

    /// The dotted path that error lists match: the same names for every protocol.
    pub(crate) fn path(&self) -> &'static str {
        match self {
            Self::Refused { .. } => "refused",
            Self::Http { status: 403 | 429, rate_limited: true } => "rate_limit",
            Self::Http { status, .. } => match status {
                401 | 407 | 511 => "authentication",
                403 | 451 => "permission",
                404 | 410 => "not_found",
                408 | 504 | 522 | 524 | 598 | 599 => "timeout",
                429 => "rate_limit",
                400 | 405 | 406 | 411..=417 | 422 | 428 | 431 => "validation",
                520 | 521 | 523 => "connection",
                507 => "quota",
                500..=599 => "provider",
                _ => "http",
            },
            Self::Grpc(code) => match code {
                GrpcCode::DeadlineExceeded => "timeout",
                GrpcCode::Unavailable => "provider",
                GrpcCode::ResourceExhausted => "quota",
                GrpcCode::PermissionDenied => "permission",
                GrpcCode::Unauthenticated => "authentication",
                GrpcCode::InvalidArgument | GrpcCode::OutOfRange => "validation",
                GrpcCode::NotFound => "not_found",
                GrpcCode::AlreadyExists => "already_exists",
                _ => "grpc",
            },
            Self::Io(kind) => kind.path(),
            Self::Sql(state) => match &state.as_str()[..2] {
                "08" => "connection.database",
                "28" => "authentication",
                "22" | "23" => "validation.database",
                _ => "database",
            },
        }
    }
}

closed_set! {
    /// A gRPC status that is not OK.
    pub enum GrpcCode ("grpc code") {
        Cancelled = "cancelled",
        Unknown = "unknown",
        InvalidArgument = "invalid_argument",
        DeadlineExceeded = "deadline_exceeded",
        NotFound = "not_found",
        AlreadyExists = "already_exists",
        PermissionDenied = "permission_denied",
        ResourceExhausted = "resource_exhausted",
        FailedPrecondition = "failed_precondition",
        Aborted = "aborted",
        OutOfRange = "out_of_range",
        Unimplemented = "unimplemented",
        Internal = "internal",
        Unavailable = "unavailable",
        DataLoss = "data_loss",
        Unauthenticated = "unauthenticated",
    }
}

impl GrpcCode {
    /// The code with this number on the wire; `None` for 0 (OK) and undefined numbers.
    pub fn from_number(number: u32) -> Option<Self> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// The number on the wire.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }
}
