//! Hands letters back to the queue that they came from.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{Failure, QueueName};
use redrive_model::{GetQueue, NewItem, Produce, Rejection};
use redrive_store::{Store, StoreError};

use crate::{Call, Handled, Handler};

/// Puts the work into the queue of its origin again. The letter is completed when it is there; a second attempt does not
/// put it in twice while the first one is still there.
///
/// What a letter says of its origin, whoever captured it has said. So work goes back only to a queue of the letters' own
/// namespace, or to one whose items die into this queue.
#[derive(Debug)]
pub struct BackToOrigin {
    store: Arc<dyn Store>,
    letters: QueueName,
}

impl BackToOrigin {
    /// For the letters of one queue.
    pub const fn new(store: Arc<dyn Store>, letters: QueueName) -> Self {
        Self { store, letters }
    }

    /// The work that goes back, if it may.
    async fn back(&self, call: &Call, queue: QueueName) -> Result<(), StoreError> {
        let origin = self.store.queue(GetQueue { name: queue.clone() }).await?;
        if origin.dead_queue.as_ref() != Some(&self.letters) {
            let here = self.store.queue(GetQueue { name: self.letters.clone() }).await?;
            if here.namespace != origin.namespace {
                // As if it were not there: what there is in another namespace is nobody's business.
                return Err(Rejection::NoSuchQueue(queue).into());
            }
        }
        let item = NewItem {
            content: Arc::clone(&call.content),
            message_id: Some(call.idempotency_key().into()),
            ..NewItem::of_payload(bytes::Bytes::new())
        };
        self.store.produce(Produce::new(queue, vec![item])).await.map(drop)
    }
}

#[async_trait]
impl Handler for BackToOrigin {
    async fn handle(&self, call: Call) -> Handled {
        if call.origin.transport != "queue" {
            return Handled::failed(Failure::new("not retryable: its origin is no queue of this store"));
        }
        let Ok(queue) = QueueName::new(&call.origin.name) else {
            return Handled::failed(Failure::new("not retryable: the name of its origin is no name of a queue"));
        };
        match self.back(&call, queue).await {
            Ok(()) => Handled::DONE,
            Err(StoreError::Rejected(refusal @ Rejection::NoSuchQueue(_))) => {
                Handled::failed(Failure::new(format!("not retryable: {refusal}")))
            }
            Err(StoreError::Rejected(refusal)) => Handled::failed(Failure::new(format!("invalid: {refusal}"))),
            Err(error) => Handled::failed(Failure::new(format!("temporarily unavailable: {error}"))),
        }
    }
}
