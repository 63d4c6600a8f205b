//! The error replies of the API.
//!
//! Every reply has a reason, which programs compare, and the values that its message names. Calls of Redrive put them
//! into `details`. The body of Querator's calls is that of Querator: they have the same in headers.

use std::borrow::Cow;
use std::fmt::Display;

use redrive_core::NameError;
use redrive_model::{Rejection, RejectionFields};
use redrive_proto::duh::v1::Reply;
use redrive_store::StoreError;

use crate::wrong_fields::WrongFields;

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

    /// The reason of a error that has no more exact one.
    const fn reason(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::BadRequest => "invalid",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "denied",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::TooMany => "too_many_requests",
            Self::RequestFailed => "failed",
            Self::RetryRequest => "try_again",
            Self::ContentError => "unreadable_request",
            Self::Internal => "internal",
            Self::NotImplemented => "no_such_method",
        }
    }
}

/// An error reply. Clients of Querator compare the message up to its first `;`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) code: Code,
    pub(crate) message: Cow<'static, str>,
    /// The exact reason: that of a rejection or of a store error, or one of the server.
    pub(crate) reason: Cow<'static, str>,
    /// A coarser reason, which calls about letters report as theirs, with the exact one beside it.
    pub(crate) group: Option<&'static str>,
    pub(crate) fields: RejectionFields,
    /// The wrong fields of the request; the message is about the first.
    pub(crate) wrong: WrongFields,
}

impl ApiError {
    pub(crate) fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        let (message, reason) = (message.into(), Cow::Borrowed(code.reason()));
        Self { code, message, reason, group: None, fields: RejectionFields::new(), wrong: WrongFields::default() }
    }

    pub(crate) fn bad(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::BadRequest, message)
    }

    /// The request timed out after it was passed to the store, so its outcome is unknown.
    pub(crate) fn timed_out() -> Self {
        let message = "request timeout; outcome unknown, look whether it was done before you try again";
        Self::new(Code::RetryRequest, message).because("outcome_unknown")
    }

    pub(crate) fn is_timed_out(&self) -> bool {
        self.reason == "outcome_unknown"
    }

    /// Replaces the message of a timeout by one that says what to do about it.
    pub(crate) fn or_if_timed_out(self, message: &'static str) -> Self {
        if self.is_timed_out() { Self { message: Cow::Borrowed(message), ..self } } else { self }
    }

    pub(crate) fn closing() -> Self {
        StoreError::Closed.into()
    }

    /// A bug in the server: the cause is logged and not sent to the caller.
    pub(crate) fn internal() -> Self {
        Self::new(Code::Internal, "Internal Error")
    }

    /// Sets the exact reason.
    pub(crate) fn because(self, reason: &'static str) -> Self {
        Self { reason: Cow::Borrowed(reason), ..self }
    }

    /// Sets the coarser reason of calls about letters.
    pub(crate) fn grouped(self, group: &'static str) -> Self {
        Self { group: Some(group), ..self }
    }

    /// Adds a value of the message.
    #[expect(clippy::needless_pass_by_value, reason = "callers pass references and numbers alike")]
    pub(crate) fn with(mut self, field: &str, value: impl ToString) -> Self {
        self.fields.insert(field.to_owned(), value.to_string());
        self
    }

    /// Says which field of the request the error is about. If it is about fields already, they are fields of this one.
    pub(crate) fn of_field(mut self, name: impl Display) -> Self {
        self.wrong.name(&name, &self.message);
        self
    }

    /// Adds what else is wrong with a request to an error about one of its fields.
    pub(crate) fn with_problems_of<T>(mut self, checked: &Result<T, Self>) -> Self {
        if let (false, Err(others)) = (self.wrong.is_empty(), checked) {
            self.wrong.add(&others.wrong);
        }
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

    /// The reply of Querator's calls, without details.
    pub(crate) fn reply(&self) -> Reply {
        Reply {
            code: i32::from(self.code.number()),
            code_text: self.code.text().to_owned(),
            message: match self.wrong.further() {
                Some(further) => format!("{}; also: {further}", self.message),
                None => self.message.clone().into_owned(),
            },
            details: RejectionFields::new(),
        }
    }

    /// The reply of Redrive's calls: reason and values are in its details.
    pub(crate) fn detailed_reply(&self) -> Reply {
        let mut details = self.values();
        let group = self.group.filter(|group| *group != self.reason);
        details.extend(group.map(|_| ("rejection".to_owned(), self.reason.clone().into_owned())));
        details.insert("reason".to_owned(), group.unwrap_or(&self.reason).to_owned());
        Reply { details, ..self.reply() }
    }

    /// The values of the message, and the names of the wrong fields if there are several.
    fn values(&self) -> RejectionFields {
        let mut values = self.fields.clone();
        values.extend(self.wrong.names().map(|names| ("fields".to_owned(), names)));
        values
    }

    /// The values of the message as a JSON object in ASCII, for a header. `None` if there are none, or if they are too
    /// long for a header.
    pub(crate) fn fields_header(&self) -> Option<String> {
        const BYTES_MAX: usize = 4 * 1024;
        let values = self.values();
        if values.is_empty() {
            return None;
        }
        let json = serde_json::to_string(&values).ok()?;
        let mut ascii = String::with_capacity(json.len());
        for character in json.chars() {
            if character.is_ascii() && !character.is_ascii_control() {
                ascii.push(character);
            } else {
                ascii.extend(character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
            }
        }
        Some(ascii).filter(|ascii| ascii.len() <= BYTES_MAX)
    }
}

/// The reply of calls that return no data.
pub(crate) fn done() -> Reply {
    Reply { code: i32::from(Code::Ok.number()), ..Reply::default() }
}

impl From<Rejection> for ApiError {
    fn from(rejection: Rejection) -> Self {
        let code = if matches!(rejection, Rejection::TooManyItems { .. }) { Code::TooMany } else { Code::BadRequest };
        let (reason, fields) = (rejection.reason().to_owned().into(), rejection.fields());
        Self { code, message: rejection.to_string().into(), reason, group: None, fields, wrong: WrongFields::default() }
    }
}

impl From<NameError> for ApiError {
    fn from(error: NameError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let (code, message) = match error {
            StoreError::Rejected(rejection) => return rejection.into(),
            StoreError::Overloaded
            | StoreError::TimedOut
            | StoreError::Full
            | StoreError::Poisoned
            | StoreError::Damaged(_) => (Code::RetryRequest, error.to_string().into()),
            StoreError::QueueGone | StoreError::Closed => (Code::RequestFailed, error.to_string().into()),
            StoreError::Unreadable(_) | StoreError::Unavailable(_) => {
                tracing::error!(%error, "store operation failed");
                (Code::RetryRequest, Cow::Borrowed("internal error, try your request again"))
            }
            StoreError::WrongAnswer | StoreError::NotOffered(_) | StoreError::Denied(_) => {
                tracing::error!(%error, "store returned an unexpected result");
                return Self::internal();
            }
        };
        Self { reason: error.reason().to_owned().into(), ..Self::new(code, message) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_a_header_are_ascii_and_bounded() {
        let error = ApiError::bad(String::new()).with("name", "Übung \"🦀\"\n\u{7f}");
        let header = error.fields_header().unwrap();
        assert!(header.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{header}");
        assert_eq!(serde_json::from_str::<RejectionFields>(&header).unwrap(), error.fields);
        assert_eq!(ApiError::bad(String::new()).fields_header(), None);
        assert_eq!(ApiError::bad(String::new()).with("name", "x".repeat(5_000)).fields_header(), None);
    }

    #[test]
    fn a_coarse_reason_stands_beside_the_exact_one() {
        let details = |error: &ApiError| {
            let mut details = error.detailed_reply().details;
            (details.remove("reason").unwrap(), details.remove("rejection"), details.into_values().collect::<Vec<_>>())
        };
        let full = || ApiError::from(Rejection::QueueFull { max_size: 7 });
        let seven = || vec!["7".to_owned()];
        assert_eq!(details(&full()), ("queue_full".to_owned(), None, seven()));
        assert_eq!(details(&full().grouped("queue_full")), ("queue_full".to_owned(), None, seven()));
        assert_eq!(
            details(&full().grouped("conflict")),
            ("conflict".to_owned(), Some("queue_full".to_owned()), seven())
        );
        assert_eq!(details(&ApiError::bad(String::new())), ("invalid".to_owned(), None, Vec::new()));
        assert!(full().reply().details.is_empty());
    }
}
