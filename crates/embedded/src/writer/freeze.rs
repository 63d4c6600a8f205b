//! Freezing queues, for tests: the writer holds their requests.

use redrive_core::QueueName;
use redrive_model::Rejection;
use redrive_store::StoreError;

use super::Writer;
use crate::frozen_queues::HoldOutcome;
use crate::message::{Message, QueuedRequest};

impl Writer {
    /// Returns the request, unless its queue is frozen.
    pub(super) fn unless_frozen(&mut self, request: QueuedRequest) -> Option<QueuedRequest> {
        match self.frozen_queues.hold(request, &self.state) {
            HoldOutcome::Held => None,
            HoldOutcome::NotFrozen(request) => Some(request),
            HoldOutcome::TooMany(request) => {
                request.reply.send(Err(StoreError::Overloaded));
                None
            }
        }
    }

    pub(super) fn freeze(&mut self, name: &QueueName, is_frozen: bool) -> Result<(), StoreError> {
        let queue = self.state.number_of(name).ok_or_else(|| Rejection::NoSuchQueue(name.clone()))?;
        self.state.freeze(queue, is_frozen);
        if is_frozen {
            self.frozen_queues.freeze(queue);
            let now = self.clock.monotonic();
            for waiter in self.waiting.take_queue(queue) {
                self.frozen_queues.hold_waiter(queue, waiter, now, &self.state);
            }
        } else {
            let held = self.frozen_queues.unfreeze(queue).into_iter();
            self.deferred.extend(held.map(Message::Request));
        }
        Ok(())
    }
}
