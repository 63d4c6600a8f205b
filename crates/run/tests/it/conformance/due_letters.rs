//! The due letters of a dead queue in the conformance suite.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{
    Category, DelayHint, Failure, Fingerprint, ItemId, Ksuid, Outcome, PolicySource, Priority, QueueName, RetryPolicy,
    Span, Status, Trigger,
};
use redrive_model::{Archive, Attempt, Capture, CaptureContext, CreateQueue, NewLetter, Origin, QueueSettings};
use redrive_run::conformance::{Abilities, Fate, NewWork, Records, SourceHarness, SourceUnderTest};
use redrive_run::{DueLetters, Source};
use redrive_store::{Clock, ManualClock, Store};

use super::stores::{self, LossyStore};

const LEASE: Span = Span::from_mins(2);

#[derive(Debug)]
pub(crate) struct LettersHarness;

#[async_trait]
impl SourceHarness for LettersHarness {
    type Bench = LettersBench;

    async fn open(&self, clock: ManualClock) -> LettersBench {
        let store = Arc::new(LossyStore::new(stores::in_memory(&clock)));
        let queue = QueueName::new("orders-dead").unwrap();
        let mut settings = QueueSettings::new(queue.clone());
        settings.letters.custom_backoff = Some("list 0s".parse().unwrap());
        store.create_queue(CreateQueue { settings }).await.unwrap();
        LettersBench { store, queue, clock, names: AtomicU64::new(0) }
    }
}

#[derive(Debug)]
pub(crate) struct LettersBench {
    store: Arc<LossyStore>,
    queue: QueueName,
    clock: ManualClock,
    names: AtomicU64,
}

#[async_trait]
impl SourceUnderTest for LettersBench {
    type Fence = ItemId;

    fn abilities(&self) -> Abilities {
        Abilities {
            lease: Some(LEASE),
            // The failure that was captured was the first attempt.
            first_attempt: 2,
            takes_parts: true,
            records: Records::All,
            can_revoke: true,
            can_lose_answers: true,
            remembers: true,
            ..Abilities::default()
        }
    }

    fn source(&self) -> Arc<dyn Source<Fence = ItemId>> {
        Arc::new(DueLetters::new(Arc::clone(&self.store) as Arc<dyn Store>, self.queue.clone(), LEASE))
    }

    /// Captures a letter that is due immediately, with the maximum number of retries.
    async fn put(&self, work: NewWork) {
        let number = self.names.fetch_add(1, Ordering::Relaxed);
        let origin = Origin {
            transport: "kafka".into(),
            name: "orders".into(),
            offset: i64::try_from(number).ok(),
            ..Origin::default()
        };
        let letter = NewLetter {
            source_id: format!("orders-{number}").into(),
            content: Arc::new(work.content),
            context: CaptureContext { origin, parts: work.parts, ..CaptureContext::default() },
            attempt: Attempt::new(Trigger::Automatic, Outcome::Failure),
            category: Category::Transient,
            fingerprint: Fingerprint::of(&Failure::new("try again")),
            policy: RetryPolicy::Custom,
            policy_source: PolicySource::Explicit,
            max_retries: QueueSettings::MAX_RETRIES_MAX,
            hint: DelayHint::NONE,
            priority: Priority::Medium,
            destination: work.destination.unwrap_or_else(|| Arc::from("warehouse")),
            failed_at: self.clock.now(),
            is_of_source: false,
        };
        self.store.capture(Capture::new(self.queue.clone(), vec![letter])).await.unwrap();
    }

    /// A letter counts as open work while it is claimed or scheduled, and as a dead letter once it needs an operator.
    async fn fate(&self, payload: &Bytes) -> Fate {
        let mut fate = Fate { is_open: false, letters: Vec::new() };
        for record in stores::letters(&*self.store, &self.queue, payload).await.unwrap() {
            let letter = record.info.letter.as_deref().unwrap();
            match (letter.status, letter.next_retry_at) {
                (Status::Retrying, _) | (Status::Pending, Some(_)) => fate.is_open = true,
                (Status::Pending, None) | (Status::Exhausted, _) => fate.letters.push(stores::found(record)),
                (Status::Completed | Status::Archived, _) => {}
            }
        }
        fate
    }

    /// An operator archives the letter.
    async fn revoke(&self, payload: &Bytes) {
        for record in stores::letters(&*self.store, &self.queue, payload).await.unwrap() {
            let letters = vec![record.info.letter.unwrap().id];
            assert_eq!(self.store.archive(Archive { queue: self.queue.clone(), letters }).await.unwrap(), 1);
        }
    }

    async fn lose_next_answer(&self) {
        self.store.loses_next_answer.store(true, Ordering::Relaxed);
    }

    fn garbage_fence(&self) -> Option<ItemId> {
        Some(ItemId::new(Ksuid::MIN))
    }
}
