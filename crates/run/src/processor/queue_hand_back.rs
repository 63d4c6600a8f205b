//! Returns letters to the queue in which their item died.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{Failure, QueueName};
use redrive_model::{GetQueue, NewItem, Produce, Rejection};
use redrive_store::{Store, StoreError};

use super::HandBack;
use crate::{Call, Handled};

/// Produces the work into its queue of origin again. A second attempt does not duplicate the item while the first one is
/// still in the queue.
///
/// Work is returned only to a queue in the namespace of the letters, or to one whose dead queue holds the letters.
#[derive(Debug)]
pub(super) struct QueueHandBack {
    pub(super) store: Arc<dyn Store>,
    pub(super) letters: QueueName,
}

impl QueueHandBack {
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
impl HandBack for QueueHandBack {
    fn transport(&self) -> &'static str {
        "queue"
    }

    async fn hand_back(&self, call: &Call) -> Handled {
        let Ok(queue) = QueueName::new(&call.origin.name) else {
            return Handled::failed(Failure::new("not retryable: the name of its origin is not a queue name"));
        };
        match self.produce_to(call, queue).await {
            Ok(()) => Handled::DONE,
            Err(StoreError::Rejected(rejection @ Rejection::NoSuchQueue(_))) => {
                Handled::failed(Failure::new(format!("not retryable: {rejection}")))
            }
            Err(StoreError::Rejected(rejection)) => Handled::failed(Failure::new(format!("invalid: {rejection}"))),
            Err(error) => Handled::failed(Failure::new(format!("temporarily unavailable: {error}"))),
        }
    }
}
