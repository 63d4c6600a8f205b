//! Who is free, and who waits for them.
//!
//! Calls wait in a fair semaphore that has a permit for every free worker; the list of them is locked for a push or a
//! pop, never while anything waits. A worker may end while it is free: its keeper then takes it off the list, and whoever
//! got a permit for it finds nobody and waits again.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, TryAcquireError, watch};

use super::worker::Worker;

#[derive(Debug)]
pub(super) struct Roster {
    permits: Semaphore,
    list: Mutex<List>,
    /// Counts the times at which nobody was there and a start had just failed.
    given_up: watch::Sender<u64>,
    size: usize,
}

#[derive(Debug, Default)]
struct List {
    /// The last to come back is the first to be asked: its memory is the warmest.
    free: Vec<Worker>,
    /// So many places could not be filled, the last time it was tried.
    absent: usize,
    is_closed: bool,
}

impl Roster {
    pub(super) fn new(size: usize) -> Self {
        let list = List { free: Vec::with_capacity(size), ..List::default() };
        Self { permits: Semaphore::new(0), list: Mutex::new(list), given_up: watch::Sender::new(0), size }
    }

    /// A free worker, as soon as it is the caller's turn. None when the roster is closed, or when all places are empty
    /// and the next attempt at filling one fails, too: so what goes back untouched does so no faster than workers are
    /// started.
    pub(super) async fn take(&self) -> Option<Worker> {
        loop {
            match self.permits.try_acquire() {
                Ok(permit) => permit.forget(),
                Err(TryAcquireError::Closed) => return None,
                Err(TryAcquireError::NoPermits) => self.wait().await?,
            }
            let taken = self.list().free.pop();
            if let Some(worker) = taken.filter(|worker| !worker.has_ended()) {
                return Some(worker);
            }
        }
    }

    /// Waits for a permit and uses it up.
    async fn wait(&self) -> Option<()> {
        let mut given_up = self.given_up.subscribe();
        tokio::select! {
            biased;
            permit = self.permits.acquire() => permit.ok().map(tokio::sync::SemaphorePermit::forget),
            _ = given_up.changed() => None,
        }
    }

    /// A worker is free.
    pub(super) fn put(&self, worker: Worker) {
        let refused = {
            let mut list = self.list();
            // Its keeper closes the line before it looks here: it is seen by one of both.
            if list.is_closed || worker.has_ended() {
                Some(worker)
            } else {
                list.free.push(worker);
                None
            }
        };
        match refused {
            Some(worker) => worker.retire(),
            None => self.permits.add_permits(1),
        }
    }

    /// A worker has ended; it may have been free.
    pub(super) fn remove(&self, number: u64) {
        let removed = {
            let mut list = self.list();
            let place = list.free.iter().position(|worker| worker.number == number);
            place.map(|place| list.free.swap_remove(place))
        };
        if removed.is_some()
            && let Ok(permit) = self.permits.try_acquire()
        {
            permit.forget();
        }
    }

    /// A place could not be filled; `is_new` when it could, the time before.
    pub(super) fn absent(&self, is_new: bool) {
        let is_nobody_there = {
            let mut list = self.list();
            list.absent += usize::from(is_new);
            list.absent == self.size
        };
        if is_nobody_there {
            self.given_up.send_modify(|times| *times = times.wrapping_add(1));
        }
    }

    /// A place that could not be filled is filled again.
    pub(super) fn present(&self) {
        self.list().absent -= 1;
    }

    /// Nobody gets a worker any more; those that are free may go.
    pub(super) fn close(&self) {
        let free = {
            let mut list = self.list();
            list.is_closed = true;
            std::mem::take(&mut list.free)
        };
        self.permits.close();
        free.into_iter().for_each(Worker::retire);
    }

    // Nothing in there panics half-way.
    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
