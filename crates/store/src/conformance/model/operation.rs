//! One operation of a history as a value, and its prediction by the model.
//!
//! The test performs the operation, on a store or on a state machine.

use redrive_core::{QueueName, Time};
use redrive_model::{
    Annotate, Archive, Capture, ChangeIfUnchanged, ClaimById, ClaimDue, Clear, CreateQueue, Cursor, DeleteItems,
    DeleteQueue, Edit, Extend, HandBackLetters, Import, LeaseByMessageId, LeaseSpec, Produce, Purge, Reinstate,
    Rejection, Restore, RestoreIfUnchanged, Resume, Settle, UpdateQueue, WriteKeys,
};

use super::naive::{Expected, Model};

/// An operation of the contract. A lease may consist of several waiting requests.
#[derive(Debug, Clone)]
pub enum Operation {
    CreateQueue(CreateQueue),
    UpdateQueue(UpdateQueue),
    DeleteQueue(DeleteQueue),
    Produce(Produce),
    Import(Import),
    Capture(Capture),
    Lease { queue: QueueName, requests: Vec<LeaseSpec> },
    LeaseByMessageId(LeaseByMessageId),
    Extend(Extend),
    Settle(Settle),
    ClaimDue(ClaimDue),
    ClaimById(ClaimById),
    Archive(Archive),
    Restore(Restore),
    RestoreIfUnchanged(RestoreIfUnchanged),
    Resume(Resume),
    HandBackLetters(HandBackLetters),
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

impl Operation {
    /// Applies the operation to the model, and returns the expected answer.
    pub fn predict(&self, model: &mut Model, now: Time) -> Result<Expected, Rejection> {
        model.now = Some(now);
        model.note_answers(now);
        match self {
            Self::CreateQueue(op) => model.create_queue(op, now),
            Self::UpdateQueue(op) => model.update_queue(op, now),
            Self::DeleteQueue(op) => model.delete_queue(op),
            Self::Produce(op) => model.produce(op, now),
            Self::Import(op) => model.import(op, now),
            Self::Capture(op) => model.capture(op, now),
            Self::Lease { queue, requests } => Ok(model.lease(queue, requests, now)),
            Self::LeaseByMessageId(op) => model.lease_by_message_id(op, now),
            Self::Extend(op) => model.extend(op, now),
            Self::Settle(op) => model.settle(op, now),
            Self::ClaimDue(op) => model.claim(op, now),
            Self::ClaimById(op) => model.claim_by_id(op, now),
            Self::Archive(op) => model.archive(op, now),
            Self::Restore(op) => model.restore(op, now),
            Self::RestoreIfUnchanged(op) => model.restore_if_unchanged(op, now),
            Self::Resume(op) => model.resume(op, now),
            Self::HandBackLetters(op) => model.hand_back(op, now),
            Self::Edit(op) => model.edit(op, now),
            Self::Annotate(op) => model.annotate(op, now),
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
