//! Waiting until the index has acknowledged certain letters.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::LetterId;
use tokio::sync::oneshot;

/// Those who wait for an acknowledgement.
#[derive(Debug, Default)]
pub(crate) struct Confirmations {
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    those: HashMap<u64, AwaitedRevisions>,
}

/// The letters that somebody waits for, with the revision that the index must have of each.
#[derive(Debug)]
struct AwaitedRevisions {
    letters: HashMap<LetterId, u64>,
    done: oneshot::Sender<()>,
}

/// Somebody's wait; it ends with it.
#[derive(Debug)]
pub(crate) struct Ticket<'c> {
    confirmations: &'c Confirmations,
    number: u64,
    pub(crate) done: oneshot::Receiver<()>,
}

impl Confirmations {
    pub(crate) fn wait_for(&self, letters: HashMap<LetterId, u64>) -> Ticket<'_> {
        let (done, receiver) = oneshot::channel();
        let mut waiting = self.lock();
        let number = waiting.next;
        waiting.next += 1;
        if !letters.is_empty() {
            waiting.those.insert(number, AwaitedRevisions { letters, done });
        }
        Ticket { confirmations: self, number, done: receiver }
    }

    /// The index has these letters in these revisions, or newer.
    pub(crate) fn acknowledge(&self, letters: &[(LetterId, u64)]) {
        let mut waiting = self.lock();
        for awaited in waiting.those.values_mut() {
            for (letter, revision) in letters {
                if awaited.letters.get(letter).is_some_and(|needed| revision >= needed) {
                    awaited.letters.remove(letter);
                }
            }
        }
        let complete: Vec<u64> =
            waiting.those.iter().filter(|(_, awaited)| awaited.letters.is_empty()).map(|(number, _)| *number).collect();
        for awaited in complete.into_iter().filter_map(|number| waiting.those.remove(&number)) {
            // Whoever waited may have gone.
            let _gone = awaited.done.send(());
        }
    }

    // A map of waits cannot be left half-changed.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket<'_> {
    /// How many letters are still not acknowledged.
    pub(crate) fn left(&self) -> usize {
        self.confirmations.lock().those.get(&self.number).map_or(0, |awaited| awaited.letters.len())
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.confirmations.lock().those.remove(&self.number);
    }
}
