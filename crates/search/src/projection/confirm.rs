//! Waits until the index has acknowledged given letters.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::LetterId;
use tokio::sync::oneshot;

/// The waits for acknowledgements.
#[derive(Debug, Default)]
pub(crate) struct Confirmations {
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    waits: HashMap<u64, AwaitedRevisions>,
}

/// The letters of one wait, with the revision that the index must have of each.
#[derive(Debug)]
struct AwaitedRevisions {
    letters: HashMap<LetterId, u64>,
    done: oneshot::Sender<()>,
}

/// One wait, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct PendingConfirmation<'c> {
    confirmations: &'c Confirmations,
    number: u64,
    pub(crate) done: oneshot::Receiver<()>,
}

impl Confirmations {
    pub(crate) fn wait_for(&self, letters: HashMap<LetterId, u64>) -> PendingConfirmation<'_> {
        let (done, receiver) = oneshot::channel();
        let mut waiting = self.lock();
        let number = waiting.next;
        waiting.next += 1;
        if !letters.is_empty() {
            waiting.waits.insert(number, AwaitedRevisions { letters, done });
        }
        PendingConfirmation { confirmations: self, number, done: receiver }
    }

    /// The index has these letters in these revisions, or newer.
    pub(crate) fn acknowledge(&self, letters: &[(LetterId, u64)]) {
        let mut waiting = self.lock();
        for awaited in waiting.waits.values_mut() {
            for (letter, revision) in letters {
                if awaited.letters.get(letter).is_some_and(|needed| revision >= needed) {
                    awaited.letters.remove(letter);
                }
            }
        }
        let complete: Vec<u64> =
            waiting.waits.iter().filter(|(_, awaited)| awaited.letters.is_empty()).map(|(number, _)| *number).collect();
        for awaited in complete.into_iter().filter_map(|number| waiting.waits.remove(&number)) {
            // The waiting task may have been dropped.
            let _gone = awaited.done.send(());
        }
    }

    // A poisoned lock is safe to use: the map is never left in an inconsistent state.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingConfirmation<'_> {
    /// Returns the number of letters that are not acknowledged yet.
    pub(crate) fn left(&self) -> usize {
        self.confirmations.lock().waits.get(&self.number).map_or(0, |awaited| awaited.letters.len())
    }
}

impl Drop for PendingConfirmation<'_> {
    fn drop(&mut self) {
        self.confirmations.lock().waits.remove(&self.number);
    }
}
