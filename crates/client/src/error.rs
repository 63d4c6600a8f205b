//! What a call answers when it did not do what it was asked to.

use std::error::Error;
use std::sync::Arc;

use redrive_core::Span;
use redrive_proto::duh::v1::Reply;

/// Why a call was not done, or why nobody knows whether it was.
///
/// What the server said has the code of its answer for a name and its text for a message; the part of the text before
/// the first `;` does not change between versions.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// 400: the request is wrong, or does not fit what is there.
    #[error("{message}")]
    BadRequest { message: String },
    /// 401: the key is wrong, or there is none.
    #[error("{message}")]
    Unauthorized { message: String },
    /// 403: the key is right, and may not do this.
    #[error("{message}")]
    Denied { message: String },
    /// 404: there is no such letter, or no such queue.
    #[error("{message}")]
    NotFound { message: String, reason: Option<String> },
    /// 409: it is not in a state for this, or somebody else was first. The reason says which: `conflict`, `duplicate`,
    /// `other_payload`, `stale_revision`.
    #[error("{message}")]
    Conflict { message: String, reason: Option<String> },
    /// 429: there is no room.
    #[error("{message}")]
    TooMany { message: String, reason: Option<String> },
    /// 453: it cannot be done as things are.
    #[error("{message}")]
    Failed { message: String },
    /// 454: asking again may help.
    #[error("{message}")]
    TryAgain { message: String },
    /// 455: the server did not understand the request.
    #[error("{message}")]
    Content { message: String },
    /// 500: a defect of the server, which has logged it.
    #[error("{message}")]
    Internal { message: String },
    /// 501: the server does not know this call.
    #[error("{message}")]
    NotImplemented { message: String },
    /// Nothing was sent: there was no connection.
    #[error("cannot connect to {address}; check that a server listens there")]
    Connect { address: Arc<str>, source: Arc<dyn Error + Send + Sync> },
    /// No answer came in time.
    #[error("no answer came from {address} within {within}; ask again, or allow it more time")]
    Timeout { address: Arc<str>, within: Span },
    /// The connection ended before the answer did.
    #[error("the connection to {address} broke before its answer came")]
    Broken { address: Arc<str>, source: Arc<dyn Error + Send + Sync> },
    /// An answer with a status that is none of the API; its body was not looked at.
    #[error("{address} answered with status {status}, which no Redrive does; look at what stands in between")]
    Infrastructure { address: Arc<str>, status: u16 },
    /// An answer that is none.
    #[error("the answer of {address} was not understood: {why}; check that a Redrive listens there")]
    NotUnderstood { address: Arc<str>, why: &'static str },
}

impl ClientError {
    /// What the server said, if it was the server.
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

    /// The part of the server's message that stays the same between versions.
    pub fn key(&self) -> Option<&str> {
        self.message().map(|message| message.split(';').next().unwrap_or(message))
    }

    /// The reason in a form for programs, where the answer has one.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::NotFound { reason, .. } | Self::Conflict { reason, .. } | Self::TooMany { reason, .. } => {
                reason.as_deref()
            }
            _ => None,
        }
    }

    /// The code of the server's answer, if it was the server.
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

    /// Whether the same request may well succeed a little later. Whether it is safe to ask again is another question:
    /// see [`is_outcome_unknown`](Self::is_outcome_unknown).
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::TryAgain { .. } | Self::Connect { .. } | Self::Timeout { .. } | Self::Broken { .. } => true,
            Self::Infrastructure { status, .. } => matches!(status, 429 | 502..=504),
            // Another one takes its place, as a rule.
            Self::Failed { .. } => self.key() == Some("service is shutting down"),
            _ => false,
        }
    }

    /// Whether it may have been done all the same.
    pub fn is_outcome_unknown(&self) -> bool {
        match self {
            Self::Timeout { .. }
            | Self::Broken { .. }
            | Self::Infrastructure { .. }
            | Self::NotUnderstood { .. }
            | Self::Internal { .. } => true,
            Self::TryAgain { .. } => !self.is_overloaded() && !self.is_no_items(),
            _ => false,
        }
    }

    /// The queue has too many requests, and did not take this one.
    pub fn is_overloaded(&self) -> bool {
        matches!(self, Self::TryAgain { .. }) && self.key() == Some("queue is overloaded")
    }

    /// A lease waited for as long as it may, and there was nothing.
    pub fn is_no_items(&self) -> bool {
        matches!(self, Self::TryAgain { message } if message.starts_with("request timeout; no items"))
    }

    /// The time that the request allowed itself is over.
    pub(crate) fn is_request_timeout(&self) -> bool {
        matches!(self, Self::TryAgain { .. }) && self.key() == Some("request timeout")
    }

    /// There is no such queue.
    pub fn is_no_such_queue(&self) -> bool {
        // Calls about letters have a code of their own for it.
        matches!(self, Self::BadRequest { .. } | Self::NotFound { .. }) && self.key() == Some("queue does not exist")
    }

    /// What a server answered with a code of the API; `None` for any other code.
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
