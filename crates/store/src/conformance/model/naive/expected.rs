//! What the model expects of a store: numbers of items where the store has ids.

use redrive_core::{CaptureReason, RetryPolicy, Status, Time};
use redrive_model::{BulkResult, Produced, QueueSettings, Reinstated, Rejection, Settled};

use super::item::Number;

/// The answer of an operation, with the model's numbers of items.
#[derive(Debug, Clone)]
pub enum Expected {
    Nothing,
    Count(u64),
    Position(u64),
    Settings(Box<QueueSettings>),
    Produced {
        partition: u32,
        /// And whether it is new.
        items: Vec<(Number, bool)>,
    },
    /// What the same request was answered, in the ids of then.
    AsBefore(Produced),
    Granted(Vec<(u32, Vec<Number>)>),
    Deadlines(Vec<Result<Time, Rejection>>),
    Settled(Vec<Result<Settled, Rejection>>),
    Items(Vec<Option<Number>>),
    Captured(Vec<ExpectedCapture>),
    Reinstated(Vec<Result<Reinstated, NotReinstated>>),
    Acted(Vec<BulkResult>),
}

/// What became of one failure.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedCapture {
    pub item: Number,
    pub generation: u32,
    pub status: Status,
    pub policy: RetryPolicy,
    pub max_retries: u32,
    pub reason: CaptureReason,
}

/// Why a letter was not put back. The id of whoever is in its way may not be known yet.
#[derive(Debug, Clone)]
pub enum NotReinstated {
    Refused(Rejection),
    Held { source_id: Box<str>, by: Number },
}
