//! Performs the model's operations on a store, and converts predictions into the store's replies.

use std::sync::Arc;

use redrive_core::Span;
use redrive_model::{DeliveryContext, ItemInfo, Lease, Leased, Rejection, StoredItem};

use crate::conformance::model::answer::Answer;
use crate::conformance::model::compare::{Checked, same};
use crate::conformance::model::naive::{Document, Expected, Item, Model};
use crate::conformance::model::operation::Operation;
use crate::{Store, StoreError};

/// An answer, and the items that were leased or claimed, with their contents.
pub(super) struct Performed {
    pub(super) answer: Answer,
    pub(super) delivered: Vec<StoredItem>,
}

impl From<Answer> for Performed {
    fn from(answer: Answer) -> Self {
        Self { answer, delivered: Vec::new() }
    }
}

/// Reduces an operation to a single request: the order in which several waiting requests are served can only be
/// controlled in the tests of the state machine.
pub(super) fn as_one_request(operation: Operation) -> Operation {
    match operation {
        Operation::Lease { queue, mut requests } => {
            requests.truncate(1);
            Operation::Lease { queue, requests }
        }
        operation => operation,
    }
}

/// Performs an operation without waiting.
pub(super) async fn perform(store: &dyn Store, operation: Operation) -> Result<Performed, StoreError> {
    use Operation as Op;
    let answer = match operation {
        Op::CreateQueue(op) => Answer::Settings(Box::new(store.create_queue(op).await?)),
        Op::UpdateQueue(op) => Answer::Settings(Box::new(store.update_queue(op).await?)),
        Op::DeleteQueue(op) => nothing(store.delete_queue(op).await?),
        Op::Produce(op) => Answer::Produced(store.produce(op).await?),
        Op::Import(op) => Answer::Items(store.import(op).await?),
        Op::Capture(op) => Answer::Captured(store.capture(op).await?),
        Op::Lease { queue, requests } => {
            let lease = Lease { queue, client_id: None, spec: requests[0], wait: Span::ZERO };
            let Leased { partition, items, damaged: _ } = store.lease(lease).await?;
            return Ok(Performed { answer: Answer::Granted(vec![(partition, infos(&items))]), delivered: items });
        }
        Op::LeaseByMessageId(op) => {
            let leased = store.lease_by_message_id(op).await?.map(|item| *item);
            let answer = Answer::Items(vec![leased.as_ref().map(|item| item.info.clone())]);
            return Ok(Performed { answer, delivered: leased.into_iter().collect() });
        }
        Op::Extend(op) => Answer::Deadlines(store.extend(op).await?),
        Op::Settle(op) => Answer::Settled(store.settle(op).await?),
        Op::ClaimDue(op) => return Ok(claimed(store.claim_due(op).await?.letters)),
        Op::ClaimById(op) => return Ok(claimed(store.claim_by_id(op).await?.letters)),
        Op::Archive(op) => Answer::Count(store.archive(op).await?),
        Op::Restore(op) => Answer::Count(store.restore(op).await?),
        Op::RestoreIfUnchanged(op) => Answer::Acted(store.restore_if_unchanged(op).await?),
        Op::Resume(op) => Answer::Acted(store.resume(op).await?),
        Op::HandBackLetters(op) => Answer::HandedBack(store.hand_back(op).await?),
        Op::Edit(op) => Answer::Items(vec![Some(store.edit(op).await?)]),
        Op::Annotate(op) => nothing(store.annotate(op).await?),
        Op::Purge(op) => Answer::Count(store.purge(op).await?),
        Op::ChangeIfUnchanged(op) => Answer::Acted(store.change_if_unchanged(op).await?),
        Op::Clear(op) => Answer::Count(store.clear(op).await?),
        Op::DeleteItems(op) => Answer::Count(store.delete_items(op).await?),
        Op::WriteKeys(op) => nothing(store.write_keys(op).await?),
        Op::Cursor(op) => Answer::Position(store.cursor(op).await?),
        Op::Reinstate(op) => Answer::Reinstated(store.reinstate(op).await?),
    };
    Ok(answer.into())
}

const fn nothing((): ()) -> Answer {
    Answer::Nothing
}

fn infos(items: &[StoredItem]) -> Vec<ItemInfo> {
    items.iter().map(|item| item.info.clone()).collect()
}

fn claimed(letters: Vec<StoredItem>) -> Performed {
    let infos = infos(&letters).into_iter().map(Some).collect();
    Performed { answer: Answer::Items(infos), delivered: letters }
}

/// The expected reply of the store for a prediction of the model: a lease or claim without items times out, and an
/// invalid request is rejected before the state is checked.
pub(super) fn expected(
    operation: &Operation,
    predicted: Result<Expected, Rejection>,
    model: &Model,
) -> Result<Expected, StoreError> {
    match (operation, predicted) {
        (Operation::Lease { queue, .. }, _) if model.named(queue).is_err() => {
            Err(Rejection::NoSuchQueue(queue.clone()).into())
        }
        (_, Ok(Expected::Granted(grants))) if grants.iter().all(|(_, items)| items.is_empty()) => {
            Err(StoreError::TimedOut)
        }
        (Operation::ClaimDue(claim), _) if claim.batch == 0 => Err(Rejection::NoBatchSize.into()),
        (Operation::ClaimDue(_), Ok(Expected::Items(letters))) if letters.is_empty() => Err(StoreError::TimedOut),
        (_, predicted) => predicted.map_err(StoreError::Rejected),
    }
}

/// Checks the content and the context of leased and claimed items.
pub(super) fn check_delivered(delivered: &[StoredItem], model: &Model) -> Checked {
    for stored in delivered {
        let item =
            model.items.iter().find(|item| item.id() == stored.info.id).ok_or("an unknown item was delivered")?;
        same("the content that was delivered", &stored.content, &item.content)?;
        same("the context that was delivered", &stored.context.as_deref().cloned(), &delivery_context(item))?;
    }
    Ok(())
}

fn delivery_context(item: &Item) -> Option<DeliveryContext> {
    let mut context = DeliveryContext::default();
    for document in &item.documents {
        match document {
            Document::Context(capture) => context.capture = Some((**capture).clone()),
            Document::Parts(parts) => context.parts = Some(parts.clone()),
            Document::LastError(error) => context.error = Some(error.clone()),
            Document::Verdict(verdict) => context.verdict = Some(verdict.clone()),
            Document::Attempt(_) | Document::Original(_) | Document::Note(_) => {}
        }
    }
    (context != DeliveryContext::default()).then_some(context)
}

/// An item as a list shows it.
pub(super) fn as_listed(item: &Item) -> StoredItem {
    StoredItem { info: item.info.clone(), content: Arc::clone(&item.content), context: None }
}
