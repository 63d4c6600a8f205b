//! Hands letters back to the queue that they came from.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{Failure, QueueName};
use redrive_model::{NewItem, Produce, Rejection};
use redrive_store::{Store, StoreError};

use crate::{Call, Handled, Handler};

/// Puts the work into the queue of its origin again. The letter is completed when it is there; a second attempt does not
/// put it in twice while the first one is still there.
#[derive(Debug)]
pub struct BackToOrigin {
    store: Arc<dyn Store>,
}

impl BackToOrigin {
    pub const fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
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
        let item = NewItem {
            content: Arc::clone(&call.content),
            message_id: Some(call.idempotency_key().into()),
            ..NewItem::of_payload(bytes::Bytes::new())
        };
        match self.store.produce(Produce { queue, items: vec![item] }).await {
            Ok(_) => Handled::DONE,
            Err(StoreError::Rejected(refusal @ Rejection::NoSuchQueue(_))) => {
                Handled::failed(Failure::new(format!("not retryable: {refusal}")))
            }
            Err(StoreError::Rejected(refusal)) => Handled::failed(Failure::new(format!("invalid: {refusal}"))),
            Err(error) => Handled::failed(Failure::new(format!("temporarily unavailable: {error}"))),
        }
    }
}
