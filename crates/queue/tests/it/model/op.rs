//! One step of a history, for the machine and for the model.

use redrive_core::{QueueName, Time};
use redrive_queue::{
    ActOnSeen, Acted, Annotate, Archive, Capture, Captured, Claim, ClaimLetters, Clear, CreateQueue, Cursor,
    DeleteItems, DeleteQueue, Edit, Extend, Facts, Grant, Import, ItemInfo, Lease, Moment, Produce, Produced, Purge,
    QueueSettings, Refusal, Reinstate, Reinstated, Restore, Settle, Settled, State, UpdateQueue, Wanted, WriteKeys,
};

use super::naive::{Model, Reply};

#[derive(Debug, Clone)]
pub(crate) enum Op {
    CreateQueue(CreateQueue),
    UpdateQueue(UpdateQueue),
    DeleteQueue(DeleteQueue),
    Produce(Produce),
    Import(Import),
    Capture(Capture),
    Lease { queue: QueueName, requests: Vec<Wanted> },
    Extend(Extend),
    Settle(Settle),
    Claim(Claim),
    ClaimLetters(ClaimLetters),
    Archive(Archive),
    Restore(Restore),
    Edit(Edit),
    Annotate(Annotate),
    Purge(Purge),
    ActOnSeen(ActOnSeen),
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
    Granted(Vec<Grant>),
    Deadlines(Vec<Time>),
    Settled(Settled),
    Items(Vec<Option<ItemInfo>>),
    Captured(Vec<Captured>),
    Reinstated(Vec<Result<Reinstated, Refusal>>),
    Acted(Vec<Acted>),
}

impl Op {
    pub(crate) fn run(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<Answer, Refusal> {
        let items = |infos: Vec<ItemInfo>| Answer::Items(infos.into_iter().map(Some).collect());
        match self {
            Self::CreateQueue(op) => {
                op.apply(state, moment, facts).map(|settings| Answer::Settings(Box::new(settings)))
            }
            Self::UpdateQueue(op) => {
                op.apply(state, moment, facts).map(|settings| Answer::Settings(Box::new(settings)))
            }
            Self::DeleteQueue(op) => op.apply(state, moment, facts).map(|()| Answer::Nothing),
            Self::Produce(op) => op.apply(state, moment, facts).map(Answer::Produced),
            Self::Import(op) => op.apply(state, moment, facts).map(Answer::Items),
            Self::Capture(op) => op.apply(state, moment, facts).map(Answer::Captured),
            Self::Lease { queue, requests } => {
                // A queue that is gone has no number; whoever waits for it gets nothing.
                let queue = state.number_of(&queue).unwrap_or(u32::MAX);
                Ok(Answer::Granted(Lease { queue, requests: &requests }.apply(state, moment, facts)))
            }
            Self::Extend(op) => op.apply(state, moment, facts).map(Answer::Deadlines),
            Self::Settle(op) => op.apply(state, moment, facts).map(Answer::Settled),
            Self::Claim(op) => op.apply(state, moment, facts).map(items),
            Self::ClaimLetters(op) => op.apply(state, moment, facts).map(items),
            Self::Archive(op) => op.apply(state, moment, facts).map(Answer::Count),
            Self::Restore(op) => op.apply(state, moment, facts).map(Answer::Count),
            Self::Edit(op) => op.apply(state, moment, facts).map(|info| items(vec![info])),
            Self::Annotate(op) => op.apply(state, moment, facts).map(|()| Answer::Nothing),
            Self::Purge(op) => op.apply(state, moment, facts).map(Answer::Count),
            Self::ActOnSeen(op) => op.apply(state, moment, facts).map(Answer::Acted),
            Self::Clear(op) => op.apply(state, moment, facts).map(Answer::Count),
            Self::DeleteItems(op) => op.apply(state, moment, facts).map(Answer::Count),
            Self::WriteKeys(op) => op.apply(state, moment, facts).map(|()| Answer::Nothing),
            Self::Cursor(op) => op.apply(state, moment, facts).map(Answer::Position),
            Self::Reinstate(op) => op.apply(state, moment, facts).map(Answer::Reinstated),
        }
    }

    pub(crate) fn foretell(&self, model: &mut Model, now: Time) -> Result<Reply, Refusal> {
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
