//! Why a call was not done, as its caller is told.

use std::borrow::Cow;

use redrive_core::NameError;
use redrive_model::Rejection;
use redrive_proto::duh::v1::Reply;
use redrive_store::StoreError;

/// A code of the API, with its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Ok,
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    /// Somebody else was first, or it is not in a state for it.
    Conflict,
    /// There is no room.
    TooMany,
    /// It cannot be done as things are; asking again does not help by itself.
    RequestFailed,
    /// Asking again may help.
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

/// What went wrong. Clients compare the message up to its first `;`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) message: Cow<'static, str>,
    /// The reason in a form for programs, where the call says that it gives one.
    pub(crate) reason: Option<&'static str>,
}

impl Fault {
    pub(crate) fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), reason: None }
    }

    pub(crate) fn bad(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::BadRequest, message)
    }

    pub(crate) const fn denied() -> Self {
        Self { code: Code::Forbidden, message: Cow::Borrowed("access denied"), reason: None }
    }

    /// The request's time is over, and whether it was done is not known: it was handed to the store.
    pub(crate) const fn late() -> Self {
        let message = "request timeout; outcome unknown, look whether it was done before you try again";
        Self { code: Code::RetryRequest, message: Cow::Borrowed(message), reason: None }
    }

    /// The same with what to do about it.
    pub(crate) fn or_if_late(self, message: &'static str) -> Self {
        if self == Self::late() { Self::new(Code::RetryRequest, message) } else { self }
    }

    pub(crate) const fn closing() -> Self {
        Self { code: Code::RequestFailed, message: Cow::Borrowed("service is shutting down"), reason: None }
    }

    /// A defect of ours: the cause is logged, not told.
    pub(crate) const fn internal() -> Self {
        Self { code: Code::Internal, message: Cow::Borrowed("Internal Error"), reason: None }
    }

    /// Gives programs a word for it.
    pub(crate) const fn because(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// What is written down of it: the part that is the same for everybody. The rest, and whatever a parser says of a body,
    /// may repeat what was sent.
    pub(crate) fn kept(&self) -> &str {
        match self.code {
            Code::ContentError => "the body could not be read",
            // What was sent stands behind a semicolon, or between quotes.
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

/// What calls without a payload answer.
pub(crate) fn done() -> Reply {
    Reply { code: i32::from(Code::Ok.number()), ..Reply::default() }
}

impl From<Rejection> for Fault {
    fn from(refusal: Rejection) -> Self {
        Self::bad(refusal.to_string())
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
            StoreError::Rejected(refusal) => refusal.into(),
            StoreError::Overloaded
            | StoreError::TimedOut
            | StoreError::Full
            | StoreError::Poisoned
            | StoreError::Damaged(_) => Self::new(Code::RetryRequest, error.to_string()),
            StoreError::QueueGone | StoreError::Closed => Self::new(Code::RequestFailed, error.to_string()),
            StoreError::Unreadable(_) | StoreError::Unavailable(_) => {
                tracing::error!(%error, "the store could not do what it was asked to");
                Self::new(Code::RetryRequest, "internal error, try your request again")
            }
            StoreError::WrongAnswer | StoreError::NotOffered(_) | StoreError::Denied(_) => {
                tracing::error!(%error, "the store answered something else");
                Self::internal()
            }
        }
    }
}
