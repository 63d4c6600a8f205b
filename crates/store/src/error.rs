//! The error of a store.

use redrive_core::ItemId;
use redrive_model::Rejection;

/// Why a request failed. Nothing was changed, unless the documentation of the operation says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The request is invalid, or conflicts with the current state.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The limit of waiting requests is reached. They are being processed: retry.
    #[error("queue is overloaded; try again later")]
    Overloaded,
    /// The timeout of a waiting request has expired.
    #[error("request timeout; no items are in the queue, try again")]
    TimedOut,
    /// The queue was deleted while the request waited.
    #[error("queue is shutting down")]
    QueueGone,
    #[error("service is shutting down")]
    Closed,
    /// The disk is full. Operations that free disk space are still accepted.
    #[error("store is not writable; the disk is full, complete or purge items, or free disk space")]
    Full,
    /// The disk failed, and it is unknown whether the last batch was written. Only reads are answered.
    #[error("store is not writable; the disk failed, repair it and restart the server")]
    Poisoned,
    /// All items of the reply are damaged. They were set aside, so that the next request gets others.
    #[error("{} damaged on disk and was set aside; try again", list(.0))]
    Damaged(Vec<ItemId>),
    /// A stored document cannot be read.
    #[error("a document could not be read: {0}")]
    Unreadable(String),
    /// A remote store could not be reached, or its reply was not received: the request may have been done.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// A remote store denied the caller access.
    #[error("{0}; request the permission, or use another key")]
    Denied(String),
    /// A remote store does not offer this operation.
    #[error("{0} is not available on a remote store; call it where the store runs")]
    NotOffered(&'static str),
    /// A store returned the reply of another operation.
    #[error("the store returned a reply of the wrong type; this is a bug")]
    WrongAnswer,
}

impl StoreError {
    /// The stable name of the error; that of a rejection for a rejected request.
    pub fn reason(&self) -> &str {
        match self {
            Self::Rejected(rejection) => rejection.reason(),
            Self::Overloaded => "overloaded",
            Self::TimedOut => "timed_out",
            Self::QueueGone => "queue_gone",
            Self::Closed => "closed",
            Self::Full => "disk_full",
            Self::Poisoned => "disk_failed",
            Self::Damaged(_) => "items_damaged",
            Self::Unreadable(_) => "unreadable",
            Self::Unavailable(_) => "unavailable",
            Self::Denied(_) => "denied",
            Self::NotOffered(_) => "not_offered",
            Self::WrongAnswer => "wrong_answer",
        }
    }
}

/// The first of these items, and the number of the others.
fn list(items: &[ItemId]) -> String {
    match items {
        [] => "the requested item is".to_owned(),
        [one] => format!("item '{one}' is"),
        [first, others @ ..] => format!("item '{first}', as {} others, is", others.len()),
    }
}
