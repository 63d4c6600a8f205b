//! The expected answer of a store, with the model's item numbers instead of ids.

use redrive_core::{CaptureReason, ItemId, RetryPolicy, Status, Time};
use redrive_model::{BulkResult, HandBackResult, Produced, QueueSettings, Reinstated, Rejection, Settled};

use super::item::Number;

/// The expected answer of an operation, with the model's item numbers.
#[derive(Debug, Clone)]
pub enum Expected {
    Nothing,
    Count(u64),
    Position(u64),
    Settings(Box<QueueSettings>),
    Produced {
        partition: u32,
        items: Vec<ProducedAs>,
    },
    /// The earlier answer of the same request, with the ids at that time.
    AsBefore(Produced),
    Granted(Vec<(u32, Vec<Number>)>),
    Deadlines(Vec<Result<Time, Rejection>>),
    Settled(Vec<Result<Settled, Rejection>>),
    Items(Vec<Option<Number>>),
    Captured(Vec<ExpectedCapture>),
    Reinstated(Vec<Result<Reinstated, NotReinstated>>),
    Acted(Vec<BulkResult>),
    HandedBack(Vec<Result<Number, NotHandedBack>>),
}

/// The expected result of producing one item.
#[derive(Debug, Clone, Copy)]
pub enum ProducedAs {
    New(Number),
    /// An item with the same message id exists.
    Twin(Number),
    /// The message id of an item that is gone is remembered.
    Remembered(ItemId),
}

/// The expected result of capturing one failure.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedCapture {
    pub item: Number,
    pub generation: u32,
    pub status: Status,
    pub policy: RetryPolicy,
    pub max_retries: u32,
    pub reason: CaptureReason,
}

/// Why a letter was not reinstated. The id of the conflicting item may not be known yet.
#[derive(Debug, Clone)]
pub enum NotReinstated {
    Rejected(Rejection),
    Held { source_id: Box<str>, by: Number },
}

/// Why a letter was not handed back.
#[derive(Debug, Clone, Copy)]
pub enum NotHandedBack {
    Because(HandBackResult),
    /// An item with the same message id exists. Its id may not be known yet.
    Twin(Number),
}
