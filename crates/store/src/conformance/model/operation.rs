//! One step of a history as a value: what the model predicts of it.
//!
//! How an operation is performed is up to what is tested: the verbs of a store, or a state machine.

use redrive_core::{QueueName, Time};
use redrive_model::{
    Annotate, Archive, BulkResult, Capture, Captured, ChangeIfUnchanged, ClaimById, ClaimDue, Clear, CreateQueue,
    Cursor, DeleteItems, DeleteQueue, Edit, Extend, Import, ItemInfo, LeaseSpec, Produce, Produced, Purge,
    QueueSettings, Reinstate, Reinstated, Rejection, Restore, Settle, Settled, UpdateQueue, WriteKeys,
};

use super::naive::{Expected, Model};

/// An operation of the contract. A lease may stand for several that wait together.
#[derive(Debug, Clone)]
pub enum Operation {
    CreateQueue(CreateQueue),
    UpdateQueue(UpdateQueue),
    DeleteQueue(DeleteQueue),
    Produce(Produce),
    Import(Import),
    Capture(Capture),
    Lease { queue: QueueName, requests: Vec<LeaseSpec> },
    Extend(Extend),
    Settle(Settle),
    ClaimDue(ClaimDue),
    ClaimById(ClaimById),
    Archive(Archive),
    Restore(Restore),
    Edit(Edit),
    Annotate(Annotate),
    Purge(Purge),
    ChangeIfUnchanged(ChangeIfUnchanged),
    Clear(Clear),
    DeleteItems(DeleteItems),
    WriteKeys(WriteKeys),
    Cursor(Cursor),
    Reinstate(Reinstate),
}

/// What an operation answers, apart from documents.
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
}

impl Answer {
    /// Why single items of a request were rejected.
    pub fn rejections(&self) -> Vec<&Rejection> {
        match self {
            Self::Deadlines(answers) => answers.iter().filter_map(|answer| answer.as_ref().err()).collect(),
            Self::Settled(answers) => answers.iter().filter_map(|answer| answer.as_ref().err()).collect(),
            _ => Vec::new(),
        }
    }
}

impl Operation {
    /// Does it to the model, and gives what the store will answer.
    pub fn predict(&self, model: &mut Model, now: Time) -> Result<Expected, Rejection> {
        model.now = Some(now);
        match self {
            Self::CreateQueue(op) => model.create_queue(op, now),
            Self::UpdateQueue(op) => model.update_queue(op, now),
            Self::DeleteQueue(op) => model.delete_queue(op),
            Self::Produce(op) => model.produce(op, now),
            Self::Import(op) => model.import(op, now),
            Self::Capture(op) => model.capture(op, now),
            Self::Lease { queue, requests } => Ok(model.lease(queue, requests, now)),
            Self::Extend(op) => model.extend(op, now),
            Self::Settle(op) => model.settle(op, now),
            Self::ClaimDue(op) => model.claim(op, now),
            Self::ClaimById(op) => model.claim_by_id(op, now),
            Self::Archive(op) => model.archive(op, now),
            Self::Restore(op) => model.restore(op, now),
            Self::Edit(op) => model.edit(op, now),
            Self::Annotate(op) => model.annotate(op),
            Self::Purge(op) => model.purge_letters(op),
            Self::ChangeIfUnchanged(op) => model.change_if_unchanged(op, now),
            Self::Clear(op) => model.clear(op),
            Self::DeleteItems(op) => model.delete_items(op),
            Self::WriteKeys(op) => model.keys.write(op),
            Self::Cursor(op) => model.feed.apply(op),
            Self::Reinstate(op) => model.reinstate(op, now),
        }
    }
}
