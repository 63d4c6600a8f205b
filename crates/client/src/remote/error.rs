//! From what a client was told to what a store says.

use redrive_core::{ItemId, QueueName};
use redrive_queue::Refusal;
use redrive_store::StoreError;

use super::item::item_id;
use super::letter_refusal::letter_refusal;
use crate::ClientError;

/// What a request was about, which its refusal may tell of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'q> {
    queue: Option<&'q QueueName>,
}

impl<'q> Asked<'q> {
    pub(super) const fn of(queue: &'q QueueName) -> Self {
        Self { queue: Some(queue) }
    }

    pub(super) const fn nothing() -> Self {
        Self { queue: None }
    }

    pub(super) fn error(self, error: ClientError) -> StoreError {
        match error {
            ClientError::BadRequest { message }
            | ClientError::NotFound { message, .. }
            | ClientError::Conflict { message, .. }
            | ClientError::TooMany { message, .. } => StoreError::Refused(self.refusal(message)),
            ClientError::Unauthorized { message } | ClientError::Denied { message } => StoreError::Denied(message),
            ClientError::TryAgain { .. } if error.is_overloaded() => StoreError::Overloaded,
            ClientError::TryAgain { .. } if error.is_no_items() => StoreError::TimedOut,
            ClientError::Failed { .. } if error.key() == Some("queue is shutting down") => StoreError::QueueGone,
            // Also a server that shuts down: another one may take its place, and its clients wait for it.
            other => StoreError::Unavailable(told(&other)),
        }
    }

    /// The words of a refusal are those of the store that it came from.
    fn refusal(self, message: String) -> Refusal {
        let (key, rest) = message.split_once(';').unwrap_or((&message, ""));
        let known = match (key, self.queue) {
            ("queue does not exist", Some(queue)) => Some(Refusal::NoSuchQueue(queue.clone())),
            ("invalid queue", Some(queue)) => Some(Refusal::QueueExists(queue.clone())),
            ("duplicate client id", _) => Some(Refusal::DuplicateClient),
            ("invalid clear request", _) => Some(Refusal::NothingToClear),
            ("invalid storage id", _) => named_item(rest).map(Refusal::NoSuchItem),
            ("item(s) cannot be extended", _) => named_item(rest).map(|id| Refusal::NotLeased { id, verb: "extended" }),
            ("the request is too large", _) => Some(Refusal::TooLarge { bytes: 0, most: 0 }),
            _ if key.starts_with("request body exceeds") => Some(Refusal::TooLarge { bytes: 0, most: 0 }),
            _ => letter_refusal(&message),
        };
        known.unwrap_or_else(|| Refusal::Elsewhere(message.into()))
    }
}

/// The item in `'<id>' does not exist`.
fn named_item(text: &str) -> Option<ItemId> {
    item_id(text.split('\'').nth(1)?)
}

/// An error and what caused it.
fn told(error: &ClientError) -> String {
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        told.push_str(": ");
        told.push_str(&next.to_string());
        cause = next.source();
    }
    told
}

/// The server answered, and not as the API has it.
pub(super) fn not_understood() -> StoreError {
    StoreError::Unavailable("the server's answer was not understood; it may be of another version".to_owned())
}
