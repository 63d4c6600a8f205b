//! Work that is sent together.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::Failure;
use redrive_run::{Call, Handled, Handler, HttpTarget};
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

use super::limits::Limits;

/// How much is sent together, and how long the first of it waits for more.
#[derive(Debug, Clone, Copy)]
pub(super) struct BatchSettings {
    pub(super) size: usize,
    pub(super) wait: Duration,
}

/// A batch with as many bytes of payloads takes no more, unless it is a single payload.
const BYTES_MAX: usize = 8 << 20;

/// A handler that gathers calls and sends them in one request. Calls that wait have not begun.
///
/// Each batch has its own task: a call that is cancelled leaves its batch, and the others are sent.
pub(super) struct BatchHandler {
    batches: Arc<Batches>,
}

struct Batches {
    target: HttpTarget,
    settings: BatchSettings,
    limits: Option<Limits>,
    /// The batch that takes calls.
    open: Mutex<Option<OpenBatch>>,
}

/// A batch that waits for more calls, or for its turn.
struct OpenBatch {
    entries: Arc<Mutex<Vec<BatchEntry>>>,
    bytes: usize,
    is_full: Arc<Notify>,
}

struct BatchEntry {
    call: Call,
    /// Closed if the call was cancelled.
    result_tx: oneshot::Sender<Handled>,
}

impl BatchHandler {
    pub(super) fn new(target: HttpTarget, settings: BatchSettings, limits: Option<Limits>) -> Self {
        Self { batches: Arc::new(Batches { target, settings, limits, open: Mutex::new(None) }) }
    }
}

#[async_trait]
impl Handler for BatchHandler {
    async fn handle(&self, call: Call) -> Handled {
        call.hold();
        let (result_tx, result_rx) = oneshot::channel();
        self.batches.add(BatchEntry { call, result_tx });
        // Only a batch whose task was ended with the runtime has no result.
        result_rx.await.unwrap_or_else(|_| Handled::failed(Failure::new("interrupted: the batch has no result")))
    }

    fn target(&self) -> String {
        self.batches.target.target()
    }
}

impl Batches {
    /// Adds a call to the open batch, and closes it if it is full then.
    fn add(self: &Arc<Self>, entry: BatchEntry) {
        let bytes = entry.call.content.payload.len();
        let mut open = locked(&self.open);
        if let Some(batch) = open.take_if(|batch| batch.bytes.saturating_add(bytes) > BYTES_MAX) {
            batch.is_full.notify_one();
        }
        let batch = open.get_or_insert_with(|| self.open_batch());
        batch.bytes = batch.bytes.saturating_add(bytes);
        let count = {
            let mut entries = locked(&batch.entries);
            entries.push(entry);
            if entries.len() >= self.settings.size {
                entries.retain(|entry| !entry.result_tx.is_closed());
            }
            entries.len()
        };
        if count >= self.settings.size {
            batch.is_full.notify_one();
            *open = None;
        }
    }

    fn open_batch(self: &Arc<Self>) -> OpenBatch {
        let (entries, is_full) = (Arc::default(), Arc::new(Notify::new()));
        tokio::spawn(Arc::clone(self).send(Arc::clone(&entries), Arc::clone(&is_full)));
        OpenBatch { entries, bytes: 0, is_full }
    }

    /// Sends a batch when it is full or has waited long enough, and when the limits permit it.
    async fn send(self: Arc<Self>, entries: Arc<Mutex<Vec<BatchEntry>>>, is_full: Arc<Notify>) {
        let _is_full = timeout(self.settings.wait, is_full.notified()).await.is_ok();
        let _permit = match &self.limits {
            Some(limits) => Some(limits.permit().await),
            None => None,
        };
        let (mut calls, mut result_txs) = (Vec::new(), Vec::new());
        for BatchEntry { call, result_tx } in self.close(&entries) {
            if call.begin() && !result_tx.is_closed() {
                calls.push(call);
                result_txs.push(result_tx);
            } else {
                // The call may be gone.
                let _is_told = result_tx.send(Handled::Untouched);
            }
        }
        if calls.is_empty() {
            return;
        }
        let results = tokio::select! {
            results = self.target.handle_all(&calls) => results,
            () = all_closed(&mut result_txs) => return,
        };
        for (result_tx, result) in result_txs.into_iter().zip(results) {
            // A call that was cancelled meanwhile needs no result.
            let _is_told = result_tx.send(result);
        }
    }

    /// Takes the calls of a batch, which takes no more from now on.
    fn close(&self, entries: &Arc<Mutex<Vec<BatchEntry>>>) -> Vec<BatchEntry> {
        let mut open = locked(&self.open);
        let _is_open = open.take_if(|batch| Arc::ptr_eq(&batch.entries, entries)).is_some();
        mem::take(&mut *locked(entries))
    }
}

/// Waits until all calls are cancelled.
async fn all_closed(result_txs: &mut [oneshot::Sender<Handled>]) {
    for result_tx in result_txs {
        result_tx.closed().await;
    }
}

// No code panics while it holds a lock.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
