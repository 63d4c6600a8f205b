//! One step of a history, for the machine and for the model.

use redrive_core::{QueueName, Time};
use redrive_model::{
    Annotate, Archive, BulkResult, Capture, Captured, ChangeIfUnchanged, ClaimById, ClaimDue, Clear, CreateQueue,
    Cursor, DeleteItems, DeleteQueue, Edit, Extend, Import, ItemInfo, LeaseSpec, OpContext, Produce, Produced, Purge,
    QueueSettings, Reinstate, Reinstated, Rejection, Restore, Settle, Settled, UpdateQueue, WriteKeys,
};
use redrive_queue::{Apply, Facts, Grant, LocatedItem, ServeLeases, State};

use super::naive::{Model, Reply};

#[derive(Debug, Clone)]
pub(crate) enum Op {
    CreateQueue(CreateQueue),
    UpdateQueue(UpdateQueue),
    DeleteQueue(DeleteQueue),
    Produce(Produce),
    Import(Import),
    Capture(Capture),
    Lease { queue: QueueName, requests: Vec<LeaseSpec> },
    Extend(Extend),
    Settle(Settle),
    Claim(ClaimDue),
    ClaimLetters(ClaimById),
    Archive(Archive),
    Restore(Restore),
    Edit(Edit),
    Annotate(Annotate),
    Purge(Purge),
    ActOnSeen(ChangeIfUnchanged),
    Clear(Clear),
    DeleteItems(DeleteItems),
    WriteKeys(WriteKeys),
    Cursor(Cursor),
    Reinstate(Reinstate),
}

/// What an operation answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
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
    pub(crate) fn rejections(&self) -> Vec<&Rejection> {
        match self {
            Self::Deadlines(answers) => answers.iter().filter_map(|answer| answer.as_ref().err()).collect(),
            Self::Settled(answers) => answers.iter().filter_map(|answer| answer.as_ref().err()).collect(),
            _ => Vec::new(),
        }
    }
}

impl Op {
    pub(crate) fn run(self, state: &mut State, context: OpContext, facts: &mut Facts) -> Result<Answer, Rejection> {
        let items = |items: Vec<LocatedItem>| Answer::Items(items.into_iter().map(|item| Some(item.info)).collect());
        match self {
            Self::CreateQueue(op) => {
                op.apply(state, context, facts).map(|settings| Answer::Settings(Box::new(settings)))
            }
            Self::UpdateQueue(op) => {
                op.apply(state, context, facts).map(|settings| Answer::Settings(Box::new(settings)))
            }
            Self::DeleteQueue(op) => op.apply(state, context, facts).map(|()| Answer::Nothing),
            Self::Produce(op) => op.apply(state, context, facts).map(Answer::Produced),
            Self::Import(op) => op.apply(state, context, facts).map(Answer::Items),
            Self::Capture(op) => op.apply(state, context, facts).map(Answer::Captured),
            Self::Lease { queue, requests } => {
                // A queue that is gone has no number; whoever waits for it gets nothing.
                let queue = state.number_of(&queue).unwrap_or(u32::MAX);
                let grants = ServeLeases { queue, requests: &requests }.apply(state, context, facts);
                let infos = |grant: Grant| grant.items.into_iter().map(|item| item.info).collect();
                Ok(Answer::Granted(grants.into_iter().map(|grant| (grant.partition, infos(grant))).collect()))
            }
            Self::Extend(op) => op.apply(state, context, facts).map(Answer::Deadlines),
            Self::Settle(op) => op.apply(state, context, facts).map(Answer::Settled),
            Self::Claim(op) => (&op).apply(state, context, facts).map(items),
            Self::ClaimLetters(op) => op.apply(state, context, facts).map(items),
            Self::Archive(op) => op.apply(state, context, facts).map(Answer::Count),
            Self::Restore(op) => op.apply(state, context, facts).map(Answer::Count),
            Self::Edit(op) => op.apply(state, context, facts).map(|info| Answer::Items(vec![Some(info)])),
            Self::Annotate(op) => op.apply(state, context, facts).map(|()| Answer::Nothing),
            Self::Purge(op) => op.apply(state, context, facts).map(Answer::Count),
            Self::ActOnSeen(op) => op.apply(state, context, facts).map(Answer::Acted),
            Self::Clear(op) => op.apply(state, context, facts).map(Answer::Count),
            Self::DeleteItems(op) => op.apply(state, context, facts).map(Answer::Count),
            Self::WriteKeys(op) => op.apply(state, context, facts).map(|()| Answer::Nothing),
            Self::Cursor(op) => op.apply(state, context, facts).map(Answer::Position),
            Self::Reinstate(op) => op.apply(state, context, facts).map(Answer::Reinstated),
        }
    }

    pub(crate) fn foretell(&self, model: &mut Model, now: Time) -> Result<Reply, Rejection> {
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
            Self::Claim(op) => model.claim(op, now),
            Self::ClaimLetters(op) => model.claim_letters(op, now),
            Self::Archive(op) => model.archive(op, now),
            Self::Restore(op) => model.restore(op, now),
            Self::Edit(op) => model.edit(op, now),
            Self::Annotate(op) => model.annotate(op),
            Self::Purge(op) => model.purge_letters(op),
            Self::ActOnSeen(op) => model.act_on_seen(op, now),
            Self::Clear(op) => model.clear(op),
            Self::DeleteItems(op) => model.delete_items(op),
            Self::WriteKeys(op) => model.keys.write(op),
            Self::Cursor(op) => model.feed.apply(op),
            Self::Reinstate(op) => model.reinstate(op, now),
        }
    }
}
