//! What a store answers when it does not do what it was asked to.

use redrive_core::ItemId;
use redrive_model::Rejection;

/// Why a request was not done. Nothing was changed, unless the operation says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The request is wrong, or does not fit what is there.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// More requests wait than the store takes. They are being worked on: try again.
    #[error("queue is overloaded; try again later")]
    Overloaded,
    /// A waiting request's time is over.
    #[error("request timeout; no items are in the queue, try again")]
    TimedOut,
    /// The queue was removed while the request waited.
    #[error("queue is shutting down")]
    QueueGone,
    #[error("service is shutting down")]
    Closed,
    /// What frees room is still done.
    #[error("store is not writable; the disk is full, complete or purge something or make room on it")]
    Full,
    /// The disk failed, and what it holds of the last batch is unknown. Only reads are answered.
    #[error("store is not writable; the disk failed, mend it and start the server again")]
    Poisoned,
    /// All that would have been handed out is damaged. It was set aside, so that the next request gets others.
    #[error("{} damaged on disk and was set aside; try again", list(.0))]
    Damaged(Vec<ItemId>),
    /// What was kept cannot be read.
    #[error("a document could not be read: {0}")]
    Unreadable(String),
    /// A store behind a network could not be reached, or was not heard: the request may have been done.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// A store behind a network does not let this caller do it.
    #[error("{0}; ask for the permission, or show another key")]
    Denied(String),
    /// A store behind a network is not offered to do this.
    #[error("{0} cannot be asked for from here; ask the store where it is")]
    NotOffered(&'static str),
    /// A store answered with something else than was asked for.
    #[error("the store gave an answer of the wrong kind; this is a defect")]
    WrongAnswer,
}

/// The first of these items, and how many there are besides.
fn list(items: &[ItemId]) -> String {
    match items {
        [] => "what was asked for is".to_owned(),
        [one] => format!("item '{one}' is"),
        [first, others @ ..] => format!("item '{first}', as {} others, is", others.len()),
    }
}
