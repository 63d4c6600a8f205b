//! A letter box that fails when a test wants it to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;
use redrive_core::{Policy, QueueName};
use redrive_model::capture::FailedWork;
use redrive_run::{LetterBox, NotCaptured, Posted, StoreLetterBox};
use redrive_store::{Store, StoreError};

use super::FaultyMailbox;
use crate::{MailboxBackend, NewMessage};

/// A letter box with faults that a test injects.
pub struct FaultyLetterBox {
    inner: StoreLetterBox,
    is_down: AtomicBool,
    losing: AtomicU32,
    /// Counts the captures of a process that crashes among its operations.
    counted: Option<FaultyMailbox>,
}

impl FaultyLetterBox {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            inner: StoreLetterBox::new(store),
            is_down: AtomicBool::new(false),
            losing: AtomicU32::new(0),
            counted: None,
        }
    }

    /// The letter box of a process that crashes as this mailbox does, to which every capture is an operation.
    pub fn crashing(store: Arc<dyn Store>, counted: FaultyMailbox) -> Self {
        Self { counted: Some(counted), ..Self::new(store) }
    }

    pub fn set_down(&self, is_down: bool) {
        self.is_down.store(is_down, Ordering::Relaxed);
    }

    /// The next `count` captures take effect and fail.
    pub fn lose_next_answers(&self, count: u32) {
        self.losing.store(count, Ordering::Relaxed);
    }
}

impl std::fmt::Debug for FaultyLetterBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FaultyLetterBox").field("is_down", &self.is_down).finish_non_exhaustive()
    }
}

#[async_trait]
impl LetterBox for FaultyLetterBox {
    async fn post_all(
        &self,
        queue: &QueueName,
        policy: &Policy,
        work: &[FailedWork],
    ) -> Result<Vec<Posted>, NotCaptured> {
        let has_crashed = match &self.counted {
            Some(counted) => counted.send(NewMessage::new("a capture")).await.is_err(),
            None => false,
        };
        if has_crashed || self.is_down.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable("the store is down".to_owned()).into());
        }
        let posted = self.inner.post_all(queue, policy, work).await;
        let loses = self.losing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1));
        match loses {
            Ok(_) => Err(StoreError::Unavailable("the answer was lost".to_owned()).into()),
            Err(_) => posted,
        }
    }

    fn is_durable(&self) -> bool {
        true
    }
}
