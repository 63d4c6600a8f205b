//! Errors of calls.

use std::error::Error;
use std::sync::Arc;

use redrive_core::Span;
use redrive_model::Rejection;
use redrive_proto::duh::v1::Reply;

/// Why a call failed, or why its outcome is unknown.
///
/// An error reported by the server has a variant for its code, with the server's message; the part of the message
/// before the first `;` is stable across versions.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The client found the request invalid; nothing was sent.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// 400: the request is invalid, or conflicts with the state of the queue.
    #[error("{message}")]
    BadRequest { message: String },
    /// 401: the key is invalid or has expired.
    #[error("{message}")]
    Unauthorized { message: String },
    /// 403: the caller lacks the permission.
    #[error("{message}")]
    Denied { message: String },
    /// 404: the letter or the queue does not exist.
    #[error("{message}")]
    NotFound { message: String, reason: Option<String> },
    /// 409: the letter is not in a state for this call, or has changed. The reason is, for example, `conflict`,
    /// `duplicate`, `other_payload` or `stale_revision`.
    #[error("{message}")]
    Conflict { message: String, reason: Option<String> },
    /// 429: the queue is full.
    #[error("{message}")]
    TooMany { message: String, reason: Option<String> },
    /// 453: the call cannot succeed in the current state of the server.
    #[error("{message}")]
    Failed { message: String },
    /// 454: the call may succeed later.
    #[error("{message}")]
    TryAgain { message: String },
    /// 455: the server could not decode the request.
    #[error("{message}")]
    Content { message: String },
    /// 500: a defect of the server, which has logged the cause.
    #[error("{message}")]
    Internal { message: String },
    /// 501: the server does not implement this call.
    #[error("{message}")]
    NotImplemented { message: String },
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
    /// The message of the server, if the server reported the error.
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::BadRequest { message }
            | Self::Unauthorized { message }
            | Self::Denied { message }
            | Self::NotFound { message, .. }
            | Self::Conflict { message, .. }
            | Self::TooMany { message, .. }
            | Self::Failed { message }
            | Self::TryAgain { message }
            | Self::Content { message }
            | Self::Internal { message }
            | Self::NotImplemented { message } => Some(message),
            _ => None,
        }
    }

    /// The part of the server's message that is stable across versions.
    pub fn key(&self) -> Option<&str> {
        self.message().map(|message| message.split(';').next().unwrap_or(message))
    }

    /// The machine-readable reason, if the answer has one.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::NotFound { reason, .. } | Self::Conflict { reason, .. } | Self::TooMany { reason, .. } => {
                reason.as_deref()
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
            Self::Failed { .. } => self.key() == Some("service is shutting down"),
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
        matches!(self, Self::TryAgain { .. }) && self.key() == Some("queue is overloaded")
    }

    /// Whether a lease timed out without an item.
    pub fn is_no_items(&self) -> bool {
        matches!(self, Self::TryAgain { message } if message.starts_with("request timeout; no items"))
    }

    /// Whether the request timed out at the server.
    pub(crate) fn is_request_timeout(&self) -> bool {
        matches!(self, Self::TryAgain { .. }) && self.key() == Some("request timeout")
    }

    /// Whether the queue does not exist.
    pub fn is_no_such_queue(&self) -> bool {
        // Calls about letters report it with another code.
        matches!(self, Self::BadRequest { .. } | Self::NotFound { .. }) && self.key() == Some("queue does not exist")
    }

    /// Returns the error for a code of the API; `None` for any other code.
    pub(crate) fn of_code(code: u16, reply: Reply) -> Option<Self> {
        let Reply { message, mut details, .. } = reply;
        let reason = details.remove("reason");
        Some(match code {
            400 => Self::BadRequest { message },
            401 => Self::Unauthorized { message },
            403 => Self::Denied { message },
            404 => Self::NotFound { message, reason },
            409 => Self::Conflict { message, reason },
            429 => Self::TooMany { message, reason },
            453 => Self::Failed { message },
            454 => Self::TryAgain { message },
            455 => Self::Content { message },
            500 => Self::Internal { message },
            501 => Self::NotImplemented { message },
            _ => return None,
        })
    }
}
