//! Idle workers, and the calls that wait for one.
//!
//! Calls get workers in the order in which they asked. The list is locked for a push or a pop, never across an await. A
//! worker may end while it is idle: its supervisor then removes it from the list.

use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, Semaphore};

use super::worker::WorkerHandle;

#[derive(Debug)]
pub(super) struct IdleWorkers {
    list: Mutex<List>,
    /// One permit for each idle worker; waiting calls queue here.
    permits: Semaphore,
    /// Sends the waiting calls away: no process of the pool could be started.
    unavailable: Notify,
    processes: usize,
}

#[derive(Debug, Default)]
struct List {
    /// The last to come back is the first to be used: its memory is the warmest.
    idle: Vec<WorkerHandle>,
    /// Supervisors whose last start failed.
    absent: usize,
    is_closed: bool,
}

impl IdleWorkers {
    pub(super) fn new(processes: usize) -> Self {
        Self {
            list: Mutex::new(List { idle: Vec::with_capacity(processes), ..List::default() }),
            permits: Semaphore::new(0),
            unavailable: Notify::new(),
            processes,
        }
    }

    /// Waits for an idle worker. `None` when the pool is closed, or when no process runs and the next start fails as
    /// well: so calls are returned untouched no faster than workers are started.
    pub(super) async fn take(&self) -> Option<WorkerHandle> {
        let mut unavailable = pin!(self.unavailable.notified());
        loop {
            let permit = tokio::select! {
                biased;
                permit = self.permits.acquire() => permit.ok()?,
                () = &mut unavailable => return None,
            };
            permit.forget();
            // A worker that ended while it was idle may be gone from the list, or still be on it.
            let worker = self.list().idle.pop().filter(|worker| !worker.has_ended());
            if worker.is_some() {
                return worker;
            }
        }
    }

    /// Adds a worker that is ready for a call. One that has ended, or is not needed any more, is retired.
    pub(super) fn put(&self, worker: WorkerHandle) {
        {
            let mut list = self.list();
            // The supervisor closes the link before it calls `remove`: one of the two sees the end.
            if list.is_closed || worker.has_ended() {
                drop(list);
                return worker.retire();
            }
            list.idle.push(worker);
        }
        self.permits.add_permits(1);
    }

    /// Removes a worker that has ended, if it was idle.
    pub(super) fn remove(&self, number: u64) {
        let removed = {
            let mut list = self.list();
            let index = list.idle.iter().position(|worker| worker.number == number);
            index.map(|index| list.idle.swap_remove(index))
        };
        if removed.is_some() {
            // Where a call has the permit already, it finds no worker and waits again.
            self.permits.forget_permits(1);
        }
    }

    /// Records a failed start; `is_new` if the supervisor's start before that one succeeded.
    pub(super) fn absent(&self, is_new: bool) {
        let are_all_absent = {
            let mut list = self.list();
            list.absent += usize::from(is_new);
            list.absent == self.processes
        };
        if are_all_absent {
            self.unavailable.notify_waiters();
        }
    }

    /// Records a successful start after a failed one.
    pub(super) fn present(&self) {
        self.list().absent -= 1;
    }

    /// Returns waiting and later calls without a worker, and retires the idle workers.
    pub(super) fn close(&self) {
        let idle = {
            let mut list = self.list();
            list.is_closed = true;
            std::mem::take(&mut list.idle)
        };
        self.permits.close();
        idle.into_iter().for_each(WorkerHandle::retire);
    }

    // No code panics while it holds the lock.
    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
