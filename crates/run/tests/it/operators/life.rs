//! One life of the process: a store on the machine's disk, and a processor over it.

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

use super::door::Door;
use super::log::Log;
use crate::rig::{LEASE, dead, policy, unbroken};

#[derive(Debug, Clone)]
pub(super) struct Life {
    pub(super) door: Arc<Door>,
    pub(super) processor: Arc<Processor>,
}

/// What a person, or a source, wants.
#[derive(Debug, Clone)]
pub(super) enum Wish {
    Retry(LetterId, &'static str),
    Archive(LetterId),
    Restore(LetterId),
    Edit(LetterId, String),
    Purge(LetterId),
    Capture(Box<NewLetter>),
}

impl Life {
    /// Opens the store of a disk. Files are small, so that the log is described and given up within a play.
    pub(super) fn open(
        disk: &SimDisk,
        clock: &ManualClock,
        log: &Arc<Log>,
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
        let door = Arc::new(Door::new(local, Arc::clone(log)));
        let runner = RunnerSettings { timeout: Span::from_mins(2), ..unbroken(4) };
        let settings = ProcessorSettings { runner, lease: LEASE, policy: policy(), interval: Span::from_mins(1) };
        let store = Arc::clone(&door) as Arc<dyn Store>;
        let mut processor = Processor::new(store, Arc::new(clock.clone()), settings);
        processor.add(dead(), handler).unwrap();
        Self { door, processor: Arc::new(processor) }
    }

    /// Does what is wished; a conflict is an answer. Gives what became of a retry.
    pub(super) async fn fulfil(self, wish: Wish) -> Result<Option<Retried>, ProcessorError> {
        let queue = dead();
        let door = &self.door;
        let done = match wish {
            Wish::Retry(letter, actor) => return self.processor.retry(&queue, letter, actor).await.map(Some),
            Wish::Archive(letter) => door.archive(Archive { queue, letters: vec![letter] }).await.map(|_| ()),
            Wish::Restore(letter) => door.restore(Restore { queue, letters: vec![letter] }).await.map(|_| ()),
            Wish::Purge(letter) => door.purge(Purge { queue, letters: vec![letter] }).await.map(|_| ()),
            Wish::Capture(letter) => door.capture(Capture::new(queue, vec![*letter])).await.map(|_| ()),
            Wish::Edit(letter, body) => {
                let content = Some(Arc::new(Content::of_payload(body)));
                let policy = None::<RetryPolicy>;
                let edit = Edit { queue, letter, content, policy, max_retries: Some(2), priority: None };
                door.edit(edit).await.map(|_| ())
            }
        };
        done.map(|()| None).map_err(ProcessorError::Store)
    }

    /// Looks at all letters.
    pub(super) async fn look(&self) -> Vec<StoredItem> {
        let list = ListLetters { queue: dead(), statuses: Vec::new(), after: None, limit: 10_000 };
        self.door.letters(list).await.unwrap()
    }

    pub(super) async fn record(&self, letter: LetterId) -> Result<FullLetter, StoreError> {
        self.door.letter(GetLetter { queue: dead(), letter }).await
    }
}
