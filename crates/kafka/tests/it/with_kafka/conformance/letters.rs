//! Where the letters of a case go.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::Policy;
use redrive_kafka::DlqTarget;
use redrive_run::conformance::FoundLetter;
use redrive_run::{DeadQueue, StoreLetterBox};

use super::dlq_topic::DlqTopic;
use super::stores::StoredLetters;

pub(super) enum LetterTarget {
    Topic(DlqTopic),
    Queue(StoredLetters),
}

impl LetterTarget {
    pub(super) const fn dlq_target(&self) -> DlqTarget {
        match self {
            Self::Topic(_) => DlqTarget::Topic,
            Self::Queue(_) => DlqTarget::Queue,
        }
    }

    pub(super) fn dead_queue(&self, policy: Policy) -> Option<DeadQueue> {
        match self {
            Self::Topic(_) => None,
            Self::Queue(letters) => {
                let letter_box = Arc::new(StoreLetterBox::new(Arc::clone(&letters.store)));
                Some(DeadQueue::new(letter_box, letters.queue.clone(), policy))
            }
        }
    }

    /// The letters with this payload.
    pub(super) async fn find(&self, payload: &Bytes) -> Vec<FoundLetter> {
        match self {
            Self::Topic(topic) => tokio::task::block_in_place(|| topic.find(payload)),
            // While letters are refused there is no dead queue to read.
            Self::Queue(letters) => letters.find(payload).await.unwrap_or_default(),
        }
    }

    pub(super) async fn refuse(&self, refuse: bool) {
        match self {
            Self::Topic(topic) => topic.refuse(refuse).await,
            Self::Queue(letters) => letters.refuse(refuse).await,
        }
    }
}
