//! How the state machine performs an operation.

use redrive_model::{OpContext, Rejection};
use redrive_queue::{Apply, Facts, Grant, LocatedItem, ServeLeases, State};
use redrive_store::conformance::model::answer::Answer;
use redrive_store::conformance::model::operation::Operation;

pub(crate) fn perform(
    operation: Operation,
    state: &mut State,
    context: OpContext,
    facts: &mut Facts,
) -> Result<Answer, Rejection> {
    let items = |items: Vec<LocatedItem>| Answer::Items(items.into_iter().map(|item| Some(item.info)).collect());
    match operation {
        Operation::CreateQueue(op) => {
            op.apply(state, context, facts).map(|settings| Answer::Settings(Box::new(settings)))
        }
        Operation::UpdateQueue(op) => {
            op.apply(state, context, facts).map(|settings| Answer::Settings(Box::new(settings)))
        }
        Operation::DeleteQueue(op) => op.apply(state, context, facts).map(|()| Answer::Nothing),
        Operation::Produce(op) => op.apply(state, context, facts).map(Answer::Produced),
        Operation::Import(op) => op.apply(state, context, facts).map(Answer::Items),
        Operation::Capture(op) => op.apply(state, context, facts).map(Answer::Captured),
        Operation::Lease { queue, requests } => {
            // A deleted queue has no number; leases on it get nothing.
            let queue = state.number_of(&queue).unwrap_or(u32::MAX);
            let grants = ServeLeases { queue, requests: &requests }.apply(state, context, facts);
            let infos = |grant: Grant| grant.items.into_iter().map(|item| item.info).collect();
            Ok(Answer::Granted(grants.into_iter().map(|grant| (grant.partition, infos(grant))).collect()))
        }
        Operation::LeaseByMessageId(op) => {
            op.apply(state, context, facts).map(|leased| Answer::Items(vec![leased.map(|leased| leased.info)]))
        }
        Operation::Extend(op) => op.apply(state, context, facts).map(Answer::Deadlines),
        Operation::Settle(op) => op.apply(state, context, facts).map(Answer::Settled),
        Operation::ClaimDue(op) => (&op).apply(state, context, facts).map(items),
        Operation::ClaimById(op) => op.apply(state, context, facts).map(items),
        Operation::Archive(op) => op.apply(state, context, facts).map(Answer::Count),
        Operation::Restore(op) => op.apply(state, context, facts).map(Answer::Count),
        Operation::RestoreIfUnchanged(op) => op.apply(state, context, facts).map(Answer::Acted),
        Operation::Resume(op) => op.apply(state, context, facts).map(Answer::Acted),
        Operation::HandBackLetters(op) => op.apply(state, context, facts).map(Answer::HandedBack),
        Operation::Edit(op) => op.apply(state, context, facts).map(|info| Answer::Items(vec![Some(info)])),
        Operation::Annotate(op) => op.apply(state, context, facts).map(|()| Answer::Nothing),
        Operation::Purge(op) => op.apply(state, context, facts).map(Answer::Count),
        Operation::ChangeIfUnchanged(op) => op.apply(state, context, facts).map(Answer::Acted),
        Operation::Clear(op) => op.apply(state, context, facts).map(Answer::Count),
        Operation::DeleteItems(op) => op.apply(state, context, facts).map(Answer::Count),
        Operation::WriteKeys(op) => op.apply(state, context, facts).map(|()| Answer::Nothing),
        Operation::Cursor(op) => op.apply(state, context, facts).map(Answer::Position),
        Operation::Reinstate(op) => op.apply(state, context, facts).map(Answer::Reinstated),
    }
}
