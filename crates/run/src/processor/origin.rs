//! Returns letters to their queue of origin.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{Failure, QueueName};
use redrive_model::{GetQueue, NewItem, Produce, Rejection};
use redrive_store::{Store, StoreError};

use crate::{Call, Handled, Handler};

/// A handler that produces the work into its queue of origin again. The letter is completed once the item is durable. A
/// second attempt does not duplicate the item while the first one is still in the queue.
///
/// The origin of a letter was set by the caller that captured it, and cannot be trusted. So work is returned only to a
/// queue in the namespace of the letters, or to one whose dead queue holds the letters.
#[derive(Debug)]
pub struct OriginTarget {
    store: Arc<dyn Store>,
    letters: QueueName,
}

impl OriginTarget {
    /// A handler for the letters of one queue.
    pub const fn new(store: Arc<dyn Store>, letters: QueueName) -> Self {
        Self { store, letters }
    }

    /// Produces the work into `queue`, if that is allowed.
    async fn produce_to(&self, call: &Call, queue: QueueName) -> Result<(), StoreError> {
        let origin = self.store.queue(GetQueue { name: queue.clone() }).await?;
        if origin.dead_queue.as_ref() != Some(&self.letters) {
            let here = self.store.queue(GetQueue { name: self.letters.clone() }).await?;
            if here.namespace != origin.namespace {
                // Reported as missing: queues of another namespace must not be revealed.
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
impl Handler for OriginTarget {
    async fn handle(&self, call: Call) -> Handled {
        if &*call.origin.transport != "queue" {
            return Handled::failed(Failure::new("not retryable: its origin is not a queue of this store"));
        }
        let Ok(queue) = QueueName::new(&call.origin.name) else {
            return Handled::failed(Failure::new("not retryable: the name of its origin is not a queue name"));
        };
        match self.produce_to(&call, queue).await {
            Ok(()) => Handled::DONE,
            Err(StoreError::Rejected(refusal @ Rejection::NoSuchQueue(_))) => {
                Handled::failed(Failure::new(format!("not retryable: {refusal}")))
            }
            Err(StoreError::Rejected(refusal)) => Handled::failed(Failure::new(format!("invalid: {refusal}"))),
            Err(error) => Handled::failed(Failure::new(format!("temporarily unavailable: {error}"))),
        }
    }

    fn target(&self) -> String {
        "origin".to_owned()
    }
}
