//! A caller of the store that captures letters and waits for every reply.

use std::cell::Cell;
use std::path::Path;

use anyhow::Result;
use redrive_core::QueueName;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Capture, Captured, CreateQueue, GetConservation, GetStats, NewLetter, QueueSettings, QueueStats};
use redrive_store::Store;
use tokio::runtime::Runtime;

use super::failures::{FailureKind, Failures};

pub(super) struct Caller {
    pub(super) store: EmbeddedStore,
    pub(super) queue: QueueName,
    pub(super) runtime: Runtime,
    pub(super) failures: Failures,
    captured: Cell<u64>,
}

const BATCH: u64 = 1000;

impl Caller {
    pub(super) fn open(folder: &Path, options: &EmbeddedOptions) -> Result<Self> {
        let store = EmbeddedStore::open(&folder.join("store"), options)?;
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let queue = QueueName::new("dead")?;
        runtime.block_on(store.create_queue(CreateQueue { settings: QueueSettings::new(queue.clone()) }))?;
        let failures = Failures::new(options.clock.now());
        Ok(Self { store, queue, runtime, failures, captured: Cell::new(0) })
    }

    pub(super) fn close(self) -> Result<()> {
        Ok(self.runtime.block_on(self.store.close())?)
    }

    /// Captures `count` new letters.
    pub(super) fn capture(&self, count: u64) -> Result<()> {
        self.capture_each(count, |failures, number| failures.letter(number, failures.common(number)))
    }

    /// Captures `count` letters in batches; one in `every` has the rare kind.
    pub(super) fn fill(&self, count: u64, rare: &FailureKind, every: u64) -> Result<()> {
        for _ in 0..count / BATCH {
            self.capture_each(BATCH, |failures, number| {
                let is_rare = number % every == every - 1;
                failures.letter(number, if is_rare { rare } else { failures.common(number) })
            })?;
        }
        Ok(())
    }

    fn capture_each(&self, count: u64, letter: impl Fn(&Failures, u64) -> NewLetter) -> Result<()> {
        let first = self.captured.replace(self.captured.get() + count);
        let letters = (first..first + count).map(|number| letter(&self.failures, number)).collect();
        self.take(Capture::new(self.queue.clone(), letters)).map(|_| ())
    }

    pub(super) fn take(&self, capture: Capture) -> Result<Vec<Captured>> {
        Ok(self.runtime.block_on(self.store.capture(capture))?)
    }

    pub(super) fn stats(&self) -> Result<QueueStats> {
        Ok(self.runtime.block_on(self.store.stats(GetStats { queue: self.queue.clone() }))?)
    }

    /// Waits until the store has no background work.
    pub(super) fn until_idle(&self) -> Result<()> {
        while self.store.status().is_checkpointing {
            self.runtime.block_on(self.store.conservation(GetConservation))?;
            std::thread::park_timeout(std::time::Duration::from_millis(10));
        }
        Ok(())
    }
}
