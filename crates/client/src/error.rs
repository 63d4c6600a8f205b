//! Errors of calls.

use std::error::Error;
use std::sync::Arc;

use redrive_core::Span;
use redrive_model::Rejection;

use crate::ServerError;

/// Why a call failed, or why its outcome is unknown.
///
/// An error reported by the server has a variant for its code. Programs compare its [`reason`](Self::reason) and read its
/// [`rejection`](Self::rejection); the message is for people.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The client found the request invalid; nothing was sent.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// 400: the request is invalid, or conflicts with the state of the queue.
    #[error(transparent)]
    BadRequest(ServerError),
    /// 401: the key is invalid or has expired.
    #[error(transparent)]
    Unauthorized(ServerError),
    /// 403: the caller lacks the permission.
    #[error(transparent)]
    Denied(ServerError),
    /// 404: the letter or the queue does not exist.
    #[error(transparent)]
    NotFound(ServerError),
    /// 409: the letter is not in a state for this call, or has changed. The reason is, for example, `conflict`,
    /// `duplicate`, `other_payload` or `stale_revision`.
    #[error(transparent)]
    Conflict(ServerError),
    /// 429: the queue is full.
    #[error(transparent)]
    TooMany(ServerError),
    /// 453: the call cannot succeed in the current state of the server.
    #[error(transparent)]
    Failed(ServerError),
    /// 454: the call may succeed later.
    #[error(transparent)]
    TryAgain(ServerError),
    /// 455: the server could not decode the request.
    #[error(transparent)]
    Content(ServerError),
    /// 500: a defect of the server, which has logged the cause.
    #[error(transparent)]
    Internal(ServerError),
    /// 501: the server does not implement this call.
    #[error(transparent)]
    NotImplemented(ServerError),
    /// No connection could be opened; nothing was sent.
    #[error("cannot connect to {address}; check that a server listens there")]
    Connect { address: Arc<str>, source: Arc<dyn Error + Send + Sync> },
    /// The server does not use TLS, and the address is `https`; nothing was sent.
    #[error("{address} does not use TLS; use http:// instead of https://, or configure TLS on the server")]
    NotTls { address: Arc<str> },
    /// The server uses TLS, and the address is `http`; it has not read the request.
    #[error("{address} uses TLS; use https:// instead of http://")]
    TlsRequired { address: Arc<str> },
    /// The answer is not HTTP, and the address is `http`: other servers with TLS answer so to a request without it.
    #[error("{address} does not answer in HTTP; if it uses TLS, use https:// instead of http://")]
    NotHttp { address: Arc<str> },
    /// The deadline passed before the answer.
    #[error("no answer from {address} within {within}; try again, or set a longer deadline")]
    Timeout { address: Arc<str>, within: Span },
    /// The connection ended before the answer was complete.
    #[error("the connection to {address} broke before the answer was complete")]
    Broken { address: Arc<str>, source: Arc<dyn Error + Send + Sync> },
    /// An answer with a status that the API does not use, for example from a proxy; its body was not read.
    #[error("{address} answered with status {status}, which is not part of the API; check the proxies in between")]
    Infrastructure { address: Arc<str>, status: u16 },
    /// An answer that is not from a Redrive server.
    #[error("cannot understand the answer of {address}: {why}; check that it is a Redrive server")]
    NotUnderstood { address: Arc<str>, why: &'static str },
}

impl ClientError {
    /// The error that the server reported, if it did.
    pub const fn reported(&self) -> Option<&ServerError> {
        match self {
            Self::BadRequest(error)
            | Self::Unauthorized(error)
            | Self::Denied(error)
            | Self::NotFound(error)
            | Self::Conflict(error)
            | Self::TooMany(error)
            | Self::Failed(error)
            | Self::TryAgain(error)
            | Self::Content(error)
            | Self::Internal(error)
            | Self::NotImplemented(error) => Some(error),
            _ => None,
        }
    }

    /// The message of the server, if the server reported the error.
    pub fn message(&self) -> Option<&str> {
        self.reported().map(|error| error.message.as_str())
    }

    /// The part of the server's message that is stable across versions.
    pub fn key(&self) -> Option<&str> {
        self.message().map(|message| message.split(';').next().unwrap_or(message))
    }

    /// The machine-readable reason, if the answer has one. Calls about letters have a coarse one, such as `not_found`; see
    /// [`exact_reason`](Self::exact_reason).
    pub fn reason(&self) -> Option<&str> {
        self.reported().map(|error| error.reason.as_str()).filter(|reason| !reason.is_empty())
    }

    /// The most exact reason of the answer, if it has one: that of the rejection, such as `no_such_letter`.
    pub fn exact_reason(&self) -> Option<&str> {
        self.reported().map(ServerError::exact_reason).filter(|reason| !reason.is_empty())
    }

    /// A value of the server's message, by its name.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.reported()?.fields.get(name).map(String::as_str)
    }

    /// The rejection of the request, if it was rejected.
    pub fn rejection(&self) -> Option<Rejection> {
        match self {
            Self::Rejected(rejection) => Some(rejection.clone()),
            Self::BadRequest(error) | Self::NotFound(error) | Self::Conflict(error) | Self::TooMany(error) => {
                Some(error.rejection())
            }
            _ => None,
        }
    }

    /// The code of the answer, if the server reported the error.
    pub const fn code(&self) -> Option<u16> {
        Some(match self {
            Self::BadRequest { .. } => 400,
            Self::Unauthorized { .. } => 401,
            Self::Denied { .. } => 403,
            Self::NotFound { .. } => 404,
            Self::Conflict { .. } => 409,
            Self::TooMany { .. } => 429,
            Self::Failed { .. } => 453,
            Self::TryAgain { .. } => 454,
            Self::Content { .. } => 455,
            Self::Internal { .. } => 500,
            Self::NotImplemented { .. } => 501,
            _ => return None,
        })
    }

    /// Whether the same request may succeed later. Whether it is safe to repeat is a separate question: see
    /// [`is_outcome_unknown`](Self::is_outcome_unknown).
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::TryAgain { .. } | Self::Connect { .. } | Self::Timeout { .. } | Self::Broken { .. } => true,
            Self::Infrastructure { status, .. } => matches!(status, 429 | 502..=504),
            // Another server usually takes its place.
            Self::Failed(_) => self.is_shutting_down(),
            _ => false,
        }
    }

    /// Whether the server may have executed the call.
    pub fn is_outcome_unknown(&self) -> bool {
        match self {
            Self::Timeout { .. }
            | Self::Broken { .. }
            | Self::Infrastructure { .. }
            | Self::NotUnderstood { .. }
            | Self::NotHttp { .. }
            | Self::Internal { .. } => true,
            Self::TryAgain { .. } => !self.is_overloaded() && !self.is_no_items(),
            _ => false,
        }
    }

    /// Whether the queue rejected the request because it has too many.
    pub fn is_overloaded(&self) -> bool {
        self.exact_reason() == Some("overloaded")
    }

    /// Whether the server is shutting down.
    pub fn is_shutting_down(&self) -> bool {
        self.exact_reason() == Some("closed")
    }

    /// Whether a lease timed out without an item.
    pub fn is_no_items(&self) -> bool {
        self.exact_reason() == Some("timed_out")
    }

    /// Whether the request timed out at the server, and its outcome is unknown.
    pub(crate) fn is_request_timeout(&self) -> bool {
        self.exact_reason() == Some("outcome_unknown")
    }

    /// Whether the queue does not exist.
    pub fn is_no_such_queue(&self) -> bool {
        self.exact_reason() == Some("no_such_queue")
    }

    /// Returns the variant of a code of the API; `None` for any other code.
    pub(crate) fn variant(code: u16) -> Option<fn(ServerError) -> Self> {
        Some(match code {
            400 => Self::BadRequest,
            401 => Self::Unauthorized,
            403 => Self::Denied,
            404 => Self::NotFound,
            409 => Self::Conflict,
            429 => Self::TooMany,
            453 => Self::Failed,
            454 => Self::TryAgain,
            455 => Self::Content,
            500 => Self::Internal,
            501 => Self::NotImplemented,
            _ => return None,
        })
    }
}
