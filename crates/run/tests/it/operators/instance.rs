//! One run of the process, from start to crash: a store on the machine's disk, and a processor over it.

use std::path::Path;
use std::sync::Arc;

use redrive_core::{LetterId, RetryPolicy, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::SimDisk;
use redrive_model::{
    Archive, Capture, Content, Edit, FullLetter, GetLetter, ListLetters, NewLetter, Purge, Restore, StoredItem,
};
use redrive_run::{Handler, Processor, ProcessorError, ProcessorSettings, Retried, RunnerSettings};
use redrive_store::{ManualClock, Store, StoreError};

use super::log::RequestLog;
use super::recording_store::RecordingStore;
use crate::fixture::{LEASE, dead, policy, without_breaker};

#[derive(Debug, Clone)]
pub(super) struct Instance {
    pub(super) store: Arc<RecordingStore>,
    pub(super) processor: Arc<Processor>,
}

/// An operation of an operator or of a source.
#[derive(Debug, Clone)]
pub(super) enum Operation {
    Retry(LetterId, &'static str),
    Archive(LetterId),
    Restore(LetterId),
    Edit(LetterId, String),
    Purge(LetterId),
    Capture(Box<NewLetter>),
}

impl Instance {
    /// Opens the store of a disk. Segments are small, so that checkpoints and compaction happen within a scenario.
    pub(super) fn open(
        disk: &SimDisk,
        clock: &ManualClock,
        log: &Arc<RequestLog>,
        seed: u64,
        handler: Arc<dyn Handler>,
    ) -> Self {
        let options = EmbeddedOptions {
            clock: Arc::new(clock.clone()),
            segment_bytes: EmbeddedOptions::SEGMENT_BYTES_MIN,
            seed: Some(seed),
            idle_proof: Span::from_hours(1),
            ..EmbeddedOptions::default()
        };
        let local = EmbeddedStore::open_on(Arc::new(disk.clone()), Path::new("/store"), &options).unwrap();
        let recording = Arc::new(RecordingStore::new(local, Arc::clone(log)));
        let runner = RunnerSettings { timeout: Span::from_mins(2), ..without_breaker(4) };
        let settings = ProcessorSettings { runner, lease: LEASE, policy: policy(), interval: Span::from_mins(1) };
        let store = Arc::clone(&recording) as Arc<dyn Store>;
        let mut processor = Processor::new(store, Arc::new(clock.clone()), settings);
        processor.add(dead(), handler).unwrap();
        Self { store: recording, processor: Arc::new(processor) }
    }

    /// Performs an operation. Only a retry returns a value.
    pub(super) async fn perform(self, operation: Operation) -> Result<Option<Retried>, ProcessorError> {
        let queue = dead();
        let store = &self.store;
        let done = match operation {
            Operation::Retry(letter, actor) => return self.processor.retry(&queue, letter, actor).await.map(Some),
            Operation::Archive(letter) => store.archive(Archive { queue, letters: vec![letter] }).await.map(|_| ()),
            Operation::Restore(letter) => store.restore(Restore { queue, letters: vec![letter] }).await.map(|_| ()),
            Operation::Purge(letter) => store.purge(Purge { queue, letters: vec![letter] }).await.map(|_| ()),
            Operation::Capture(letter) => store.capture(Capture::new(queue, vec![*letter])).await.map(|_| ()),
            Operation::Edit(letter, body) => {
                let content = Some(Arc::new(Content::of_payload(body)));
                let policy = None::<RetryPolicy>;
                let edit = Edit { queue, letter, content, policy, max_retries: Some(2), priority: None };
                store.edit(edit).await.map(|_| ())
            }
        };
        done.map(|()| None).map_err(ProcessorError::Store)
    }

    /// Lists all letters.
    pub(super) async fn letters(&self) -> Vec<StoredItem> {
        let list = ListLetters { queue: dead(), statuses: Vec::new(), after: None, limit: 10_000 };
        self.store.letters(list).await.unwrap()
    }

    pub(super) async fn record(&self, letter: LetterId) -> Result<FullLetter, StoreError> {
        self.store.letter(GetLetter { queue: dead(), letter }).await
    }
}
