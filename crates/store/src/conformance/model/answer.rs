//! The answer of an operation.

use redrive_core::Time;
use redrive_model::{
    BulkResult, Captured, HandBackResult, ItemInfo, Produced, QueueSettings, Reinstated, Rejection, Settled,
};

/// The answer of an operation, without documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Nothing,
    Count(u64),
    Position(u64),
    Settings(Box<QueueSettings>),
    Produced(Produced),
    Granted(Vec<(u32, Vec<ItemInfo>)>),
    Deadlines(Vec<Result<Time, Rejection>>),
    Settled(Vec<Result<Settled, Rejection>>),
    Items(Vec<Option<ItemInfo>>),
    Captured(Vec<Captured>),
    Reinstated(Vec<Result<Reinstated, Rejection>>),
    Acted(Vec<BulkResult>),
    HandedBack(Vec<HandBackResult>),
}

impl Answer {
    /// The rejections of individual items of a request.
    pub fn rejections(&self) -> Vec<&Rejection> {
        match self {
            Self::Deadlines(answers) => answers.iter().filter_map(|answer| answer.as_ref().err()).collect(),
            Self::Settled(answers) => answers.iter().filter_map(|answer| answer.as_ref().err()).collect(),
            _ => Vec::new(),
        }
    }
}
