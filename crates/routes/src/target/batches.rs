//! Work that is sent together.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{mem, slice};

use async_trait::async_trait;
use redrive_core::Failure;
use redrive_run::{BatchResult, Call, Handled, Handler, HttpTarget};
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

use super::limits::{CallPermit, Limits};

/// How much is sent together, and how long the first of it waits for more.
#[derive(Debug, Clone, Copy)]
pub(super) struct BatchSettings {
    pub(super) size: usize,
    pub(super) wait: Duration,
}

/// A batch with as many bytes of payloads takes no more, unless it is a single payload.
const BYTES_MAX: usize = 8 << 20;

/// Maximum number of calls of a batch that fail because the target does not answer or asks to wait; the others are
/// returned. It is not one: if the same work failed each time, the runner could not tell an outage from work that always
/// fails.
const SHARED_FAILURES_MAX: usize = 2;

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

impl BatchEntry {
    fn end(self, result: Handled) {
        // A call that was cancelled meanwhile needs no result.
        let _is_received = self.result_tx.send(result);
    }
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
        let permit = self.permit().await;
        let (mut calls, mut result_txs) = (Vec::new(), Vec::new());
        for entry in self.close(&entries) {
            if entry.call.begin() && !entry.result_tx.is_closed() {
                calls.push(entry.call);
                result_txs.push(entry.result_tx);
            } else {
                entry.end(Handled::Untouched);
            }
        }
        if calls.is_empty() {
            return;
        }
        let result = tokio::select! {
            result = self.target.handle_all(&calls) => result,
            () = all_closed(&mut result_txs) => return,
        };
        drop(permit);
        let entries = calls.into_iter().zip(result_txs).map(|(call, result_tx)| BatchEntry { call, result_tx });
        let mut entries: VecDeque<BatchEntry> = entries.collect();
        match result {
            BatchResult::Each(results) => {
                entries.into_iter().zip(results).for_each(|(entry, result)| entry.end(result));
            }
            BatchResult::Rejected { .. } if entries.len() > 1 => self.send_each(entries).await,
            BatchResult::NotReached(failure) => {
                let others = entries.split_off(SHARED_FAILURES_MAX.min(entries.len()));
                entries.into_iter().for_each(|entry| entry.end(Handled::Failed(failure.clone())));
                others.into_iter().for_each(|entry| entry.end(Handled::Untouched));
            }
            BatchResult::Rejected { failure, .. } | BatchResult::BrokeOff(failure) => {
                entries.into_iter().for_each(|entry| entry.end(Handled::Failed(failure.clone())));
            }
        }
    }

    /// Sends the calls of a rejected batch one by one, so that each has its own result: one of them may have caused the
    /// rejection of all. Those that wait have not begun.
    async fn send_each(&self, mut entries: VecDeque<BatchEntry>) {
        entries.iter().for_each(|entry| entry.call.hold());
        let mut shared_failures = 0;
        while let Some(entry) = entries.pop_front() {
            let Some(result) = self.send_alone(entry).await else { continue };
            shared_failures += 1;
            if shared_failures >= SHARED_FAILURES_MAX {
                return entries.into_iter().for_each(|entry| entry.end(result.clone()));
            }
        }
    }

    /// Sends one call. If the target did not answer, so that each further call would wait for a timeout, or if it asks to
    /// wait, returns the result of calls that are not sent for that reason.
    async fn send_alone(&self, mut entry: BatchEntry) -> Option<Handled> {
        let _permit = tokio::select! {
            biased;
            () = entry.result_tx.closed() => return None,
            permit = self.permit() => permit,
        };
        if !entry.call.begin() {
            entry.end(Handled::Untouched);
            return None;
        }
        let result = tokio::select! {
            result = self.target.handle_all(slice::from_ref(&entry.call)) => result,
            // It timed out, or was cancelled.
            () = entry.result_tx.closed() => return Some(Handled::Untouched),
        };
        let (result, of_the_others) = match result {
            BatchResult::Each(results) => (results.into_iter().next(), None),
            BatchResult::Rejected { failure, retry_at } => {
                (Some(Handled::Failed(failure)), retry_at.map(|until| Handled::Deferred { until }))
            }
            BatchResult::NotReached(failure) | BatchResult::BrokeOff(failure) => {
                (Some(Handled::Failed(failure)), Some(Handled::Untouched))
            }
        };
        if let Some(result) = result {
            entry.end(result);
        }
        of_the_others
    }

    /// Waits until the limits permit a request.
    async fn permit(&self) -> Option<CallPermit<'_>> {
        match &self.limits {
            Some(limits) => Some(limits.permit().await),
            None => None,
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
