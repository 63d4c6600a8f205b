//! Conversion of the server's messages into rejections.

use redrive_core::QueueName;
use redrive_model::Rejection;

use super::letter_refusal::letter_refusal;
use crate::ClientError;

impl ClientError {
    /// The rejection of the request, if it was rejected.
    pub(crate) fn rejection(&self) -> Option<Rejection> {
        match self {
            Self::Rejected(rejection) => Some(rejection.clone()),
            Self::BadRequest { message }
            | Self::NotFound { message, .. }
            | Self::Conflict { message, .. }
            | Self::TooMany { message, .. } => Some(refusal(message)),
            _ => None,
        }
    }
}

/// The rejection of the server's store with this message.
pub(crate) fn refusal(message: &str) -> Rejection {
    let key = message.split(';').next().unwrap_or_default();
    let known = match key {
        "queue does not exist" => {
            quoted(message).and_then(|name| QueueName::new(name).ok()).map(Rejection::NoSuchQueue)
        }
        "invalid queue" => quoted(message).and_then(|name| QueueName::new(name).ok()).map(Rejection::QueueExists),
        "queue is full" => number_in(message).map(|max_items| Rejection::TooManyItems { max_items }),
        "value is invalid" => {
            number_in(message).and_then(|most| Some(Rejection::ValueTooLong { most: most.try_into().ok()? }))
        }
        "partition is invalid" => {
            quoted(message).and_then(|number| number.parse().ok()).map(Rejection::NoSuchPartition)
        }
        "invalid clear request" => Some(Rejection::NothingToClear),
        "duplicate client id" => Some(Rejection::DuplicateClient),
        "request_id was used for another request" => Some(Rejection::RequestIdUsed),
        "the request is too large" => Some(Rejection::TooLarge { bytes: 0, most: 0 }),
        _ if key.starts_with("request body exceeds") => Some(Rejection::TooLarge { bytes: 0, most: 0 }),
        _ => item_refusal(message).or_else(|| letter_refusal(message)),
    };
    known.unwrap_or_else(|| Rejection::Elsewhere(message.into()))
}

/// The rejection of one item with this message; `None` for other messages.
pub(crate) fn item_refusal(message: &str) -> Option<Rejection> {
    const VERBS: [&str; 8] = ["extended", "completed", "retried", "released", "deferred", "lost", "condemned", "noted"];
    let (key, rest) = message.split_once(';')?;
    let id = quoted(rest)?.parse().ok()?;
    if key == "invalid storage id" {
        return Some(Rejection::NoSuchItem(id));
    }
    let verb = VERBS.into_iter().find(|verb| key.strip_prefix("item(s) cannot be ") == Some(verb))?;
    Some(Rejection::NotLeased { id, verb })
}

/// The first number.
fn number_in(message: &str) -> Option<u64> {
    let from = message.find(|c: char| c.is_ascii_digit())?;
    let digits = message[from..].split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// The text in the first pair of single quotes.
fn quoted(message: &str) -> Option<&str> {
    message.split('\'').nth(1)
}

#[cfg(test)]
mod tests {
    use redrive_core::{ItemId, Ksuid, Span, Time};
    use redrive_model::{DeadCause, RetryAt, SettleAction};

    use super::{QueueName, Rejection, item_refusal, refusal};

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
            SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: None },
            SettleAction::Note { lease: Span::ZERO, notes: Box::default() },
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

    #[test]
    fn a_refusal_of_a_queue_is_known_by_its_text() {
        let name = || QueueName::new("a-b").unwrap();
        let full = Rejection::TooManyItems { max_items: 1_000_000 };
        let long = Rejection::ValueTooLong { most: 65_536 };
        let partition = Rejection::NoSuchPartition(-1);
        for known in [
            Rejection::NoSuchQueue(name()),
            Rejection::QueueExists(name()),
            full,
            long,
            partition,
            Rejection::NothingToClear,
        ] {
            assert_eq!(refusal(&known.to_string()), known);
        }
        for other in ["queue does not exist", "invalid queue", "queue is full"] {
            assert_eq!(refusal(other), Rejection::Elsewhere(other.into()));
        }
    }
}
