//! The error replies of the API.

use std::borrow::Cow;

use redrive_core::NameError;
use redrive_model::Rejection;
use redrive_proto::duh::v1::Reply;
use redrive_store::StoreError;

/// A reply code of the API, with its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Ok,
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    /// Another caller was first, or the target is in a state that does not allow the call.
    Conflict,
    /// A queue is full.
    TooMany,
    /// The request cannot be done in the current state. A retry without another change fails again.
    RequestFailed,
    /// The request may succeed if it is sent again.
    RetryRequest,
    ContentError,
    Internal,
    NotImplemented,
}

impl Code {
    pub(crate) const fn number(self) -> u16 {
        match self {
            Self::Ok => 200,
            Self::BadRequest => 400,
            Self::Unauthorized => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::Conflict => 409,
            Self::TooMany => 429,
            Self::RequestFailed => 453,
            Self::RetryRequest => 454,
            Self::ContentError => 455,
            Self::Internal => 500,
            Self::NotImplemented => 501,
        }
    }

    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::BadRequest => "Bad Request",
            Self::Unauthorized => "Unauthorized",
            Self::Forbidden => "Forbidden",
            Self::NotFound => "Not Found",
            Self::Conflict => "Conflict",
            Self::TooMany => "Too Many Requests",
            Self::RequestFailed => "Request Failed",
            Self::RetryRequest => "Retry Request",
            Self::ContentError => "Client Content Error",
            Self::Internal => "Internal Service Error",
            Self::NotImplemented => "Not Implemented",
        }
    }
}

/// An error reply. Clients compare the message up to its first `;`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) message: Cow<'static, str>,
    /// A machine-readable reason; set by the calls that document one.
    pub(crate) reason: Option<&'static str>,
}

impl Fault {
    pub(crate) fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), reason: None }
    }

    pub(crate) fn bad(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::BadRequest, message)
    }

    /// The request timed out after it was passed to the store, so its outcome is unknown.
    pub(crate) const fn timed_out() -> Self {
        let message = "request timeout; outcome unknown, look whether it was done before you try again";
        Self { code: Code::RetryRequest, message: Cow::Borrowed(message), reason: None }
    }

    /// Replaces the message of a timeout by one that says what to do about it.
    pub(crate) fn or_if_timed_out(self, message: &'static str) -> Self {
        if self == Self::timed_out() { Self::new(Code::RetryRequest, message) } else { self }
    }

    pub(crate) const fn closing() -> Self {
        Self { code: Code::RequestFailed, message: Cow::Borrowed("service is shutting down"), reason: None }
    }

    /// A bug in the server: the cause is logged and not sent to the caller.
    pub(crate) const fn internal() -> Self {
        Self { code: Code::Internal, message: Cow::Borrowed("Internal Error"), reason: None }
    }

    /// Sets the machine-readable reason.
    pub(crate) const fn because(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// The part of the message that goes into logs and audit records, because it contains nothing of the request. The
    /// rest of the message, and what a parser reports about a body, may repeat what the caller sent.
    pub(crate) fn loggable(&self) -> &str {
        match self.code {
            Code::ContentError => "the body could not be read",
            // Text of the request stands after a semicolon or in quotes.
            _ => self.message.split([';', '\'']).next().unwrap_or_default().trim_end_matches([' ', ':']),
        }
    }

    pub(crate) fn reply(&self) -> Reply {
        Reply {
            code: i32::from(self.code.number()),
            code_text: self.code.text().to_owned(),
            message: self.message.clone().into_owned(),
            details: self.reason.map(|reason| ("reason".to_owned(), reason.to_owned())).into_iter().collect(),
        }
    }
}

/// The reply of calls that return no data.
pub(crate) fn done() -> Reply {
    Reply { code: i32::from(Code::Ok.number()), ..Reply::default() }
}

impl From<Rejection> for Fault {
    fn from(rejection: Rejection) -> Self {
        let code = if matches!(rejection, Rejection::TooManyItems { .. }) { Code::TooMany } else { Code::BadRequest };
        Self::new(code, rejection.to_string())
    }
}

impl From<NameError> for Fault {
    fn from(error: NameError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Rejected(rejection) => rejection.into(),
            StoreError::Overloaded
            | StoreError::TimedOut
            | StoreError::Full
            | StoreError::Poisoned
            | StoreError::Damaged(_) => Self::new(Code::RetryRequest, error.to_string()),
            StoreError::QueueGone | StoreError::Closed => Self::new(Code::RequestFailed, error.to_string()),
            StoreError::Unreadable(_) | StoreError::Unavailable(_) => {
                tracing::error!(%error, "store operation failed");
                Self::new(Code::RetryRequest, "internal error, try your request again")
            }
            StoreError::WrongAnswer | StoreError::NotOffered(_) | StoreError::Denied(_) => {
                tracing::error!(%error, "store returned an unexpected result");
                Self::internal()
            }
        }
    }
}
