//! Conversion of client errors into store errors.

use redrive_core::QueueName;
use redrive_model::Rejection;
use redrive_store::StoreError;

use super::item::item_id;
use super::letter_refusal::letter_refusal;
use crate::ClientError;

/// The queue of a request, for rejections that name it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestSubject<'q> {
    queue: &'q QueueName,
}

impl<'q> RequestSubject<'q> {
    pub(super) const fn of(queue: &'q QueueName) -> Self {
        Self { queue }
    }

    pub(super) fn error(self, error: ClientError) -> StoreError {
        match error {
            ClientError::BadRequest { message }
            | ClientError::NotFound { message, .. }
            | ClientError::Conflict { message, .. }
            | ClientError::TooMany { message, .. } => StoreError::Rejected(self.refusal(message)),
            ClientError::Unauthorized { message } | ClientError::Denied { message } => StoreError::Denied(message),
            ClientError::TryAgain { .. } if error.is_overloaded() => StoreError::Overloaded,
            ClientError::TryAgain { .. } if error.is_no_items() => StoreError::TimedOut,
            ClientError::Failed { .. } if error.key() == Some("queue is shutting down") => StoreError::QueueGone,
            // Includes a server that shuts down: clients wait for its restart.
            other => StoreError::Unavailable(with_causes(&other)),
        }
    }

    /// The rejection of the server's store with this message.
    fn refusal(self, message: String) -> Rejection {
        let key = message.split(';').next().unwrap_or_default();
        let known = match key {
            "queue does not exist" => Some(Rejection::NoSuchQueue(self.queue.clone())),
            "duplicate client id" => Some(Rejection::DuplicateClient),
            "request_id was used for another request" => Some(Rejection::RequestIdUsed),
            "the request is too large" => Some(Rejection::TooLarge { bytes: 0, most: 0 }),
            _ if key.starts_with("request body exceeds") => Some(Rejection::TooLarge { bytes: 0, most: 0 }),
            _ => item_refusal(&message).or_else(|| letter_refusal(&message)),
        };
        known.unwrap_or_else(|| Rejection::Elsewhere(message.into()))
    }
}

/// The rejection of one item with this message; `None` for other messages.
pub(super) fn item_refusal(message: &str) -> Option<Rejection> {
    const VERBS: [&str; 7] = ["extended", "completed", "retried", "released", "deferred", "lost", "condemned"];
    let (key, rest) = message.split_once(';')?;
    let id = item_id(rest.split('\'').nth(1)?)?;
    if key == "invalid storage id" {
        return Some(Rejection::NoSuchItem(id));
    }
    let verb = VERBS.into_iter().find(|verb| key.strip_prefix("item(s) cannot be ") == Some(verb))?;
    Some(Rejection::NotLeased { id, verb })
}

/// An error and its causes.
fn with_causes(error: &ClientError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        text.push_str(": ");
        text.push_str(&next.to_string());
        cause = next.source();
    }
    text
}

/// The answer of the server is invalid.
pub(super) fn not_understood() -> StoreError {
    StoreError::Unavailable("the server's answer was not understood; it may be of another version".to_owned())
}

#[cfg(test)]
mod tests {
    use redrive_core::{ItemId, Ksuid, Time};
    use redrive_model::{DeadCause, RetryAt, SettleAction};

    use super::{Rejection, item_refusal};

    #[test]
    fn each_refusal_of_an_item_is_known_by_its_text() {
        let id = ItemId::new(Ksuid::MAX);
        let actions = [
            SettleAction::Complete { attempt: None },
            SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true },
            SettleAction::Dead { attempt: None, why: DeadCause::Permanent },
            SettleAction::Release,
            SettleAction::Defer { until: Time::EPOCH },
            SettleAction::Lost,
            SettleAction::RedeliverForHandOver { attempt: None },
        ];
        let verbs = actions.iter().map(SettleAction::participle).chain(["extended"]);
        let not_leased = verbs.map(|verb| Rejection::NotLeased { id, verb });
        for refusal in not_leased.chain([Rejection::NoSuchItem(id)]) {
            assert_eq!(item_refusal(&refusal.to_string()), Some(refusal));
        }
        for other in ["", "invalid storage id", "invalid storage id; 'x' does not exist", "item(s) cannot be; ''"] {
            assert_eq!(item_refusal(other), None, "{other}");
        }
    }
}
