//! Who is free, and who waits for them.
//!
//! Calls wait in a line, in the order in which they came; nobody waits while a worker is free. The list is locked for a
//! push or a pop, never while anything waits. A worker may end while it is free: its supervisor then takes it off the list.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::ahead::Batch;
use super::request::WorkerRequest;
use super::turn::{CallTurn, WaitingCall};
use super::worker::WorkerHandle;
use crate::Call;

#[derive(Debug)]
pub(super) struct Roster {
    list: Mutex<List>,
    size: usize,
}

#[derive(Debug, Default)]
struct List {
    /// The last to come back is the first to be asked: its memory is the warmest.
    free: Vec<WorkerHandle>,
    /// By the number of the call: one that is sent back has its old place.
    line: BTreeMap<u64, WaitingCall>,
    /// So many places could not be filled, the last time it was tried.
    absent: usize,
    is_closed: bool,
}

/// A call's place in the line.
#[derive(Debug)]
struct PlaceInLine<'a> {
    roster: &'a Roster,
    number: u64,
    turn: oneshot::Receiver<CallTurn>,
}

impl Roster {
    pub(super) fn new(size: usize) -> Self {
        let list = List { free: Vec::with_capacity(size), ..List::default() };
        Self { list: Mutex::new(list), size }
    }

    /// A worker, as soon as it is the caller's turn. None when the roster is closed, or when all places are empty
    /// and the next attempt at filling one fails, too: so what goes back untouched does so no faster than workers are
    /// started.
    pub(super) async fn take(&self, number: u64, request: &Arc<WorkerRequest>, call: &Call) -> Option<CallTurn> {
        let mut is_sent_back = false;
        loop {
            if let Some(worker) = self.free()? {
                return Some(CallTurn::Ask(worker));
            }
            let (turn, hear) = oneshot::channel();
            let (request, call) = (Arc::clone(request), call.clone());
            self.wait(WaitingCall { number, request, call, is_sent_back, turn });
            let mut place = PlaceInLine { roster: self, number, turn: hear };
            match (&mut place.turn).await {
                Ok(CallTurn::Nobody) => return None,
                Ok(CallTurn::Ask(worker)) if worker.has_ended() => {}
                Ok(turn) => return Some(turn),
                Err(_) => is_sent_back = true,
            }
        }
    }

    /// A worker that is free, if there is one; None when the roster is closed.
    fn free(&self) -> Option<Option<WorkerHandle>> {
        let mut list = self.list();
        (!list.is_closed).then(|| list.next_free())
    }

    /// Has a call wait, unless somebody has become free meanwhile.
    fn wait(&self, waiter: WaitingCall) {
        let mut list = self.list();
        if list.is_closed {
            drop(list);
            return waiter.send_away();
        }
        list.line.insert(waiter.number, waiter);
        while !list.line.is_empty()
            && let Some(worker) = list.next_free()
        {
            drop(list);
            self.put(worker);
            list = self.list();
        }
    }

    /// A worker is free, and the first in the line gets it.
    pub(super) fn put(&self, mut worker: WorkerHandle) {
        loop {
            let first = {
                let mut list = self.list();
                // Its supervisor closes the link before it looks here: it is seen by one of both.
                if list.is_closed || worker.has_ended() {
                    drop(list);
                    return worker.retire();
                }
                match list.line.pop_first() {
                    Some((_, first)) => first,
                    None => return list.free.push(worker),
                }
            };
            match first.offer(worker) {
                None => return,
                Some(back) => worker = back,
            }
        }
    }

    /// A worker has answered. What it did meanwhile of what was written ahead is told, too; then it is at the next, or
    /// free.
    pub(super) fn pass_on(&self, mut worker: WorkerHandle) {
        while let Some(next) = worker.ahead.pop() {
            match worker.answered(next.number) {
                Some((outcome, payload)) => next.tell(outcome, payload),
                None => return next.begin(worker),
            }
        }
        self.put(worker);
    }

    /// Gives a quick worker more than it is at, where more wait than there are workers.
    pub(super) fn write_ahead(&self, worker: &mut WorkerHandle) {
        let mut room = worker.room_ahead();
        while room > 0 {
            let batch = self.batch(room);
            room -= batch.calls.len();
            if batch.calls.is_empty() {
                return;
            }
            if let Err(refused) = worker.write_ahead(batch) {
                return refused.calls.into_iter().for_each(|waiter| self.wait(waiter));
            }
        }
    }

    /// The first in the line, as many as may be written together.
    fn batch(&self, room: usize) -> Batch {
        let mut batch = Batch::default();
        let mut list = self.list();
        // Of those who wait, as many are left as other workers could take at once.
        while batch.calls.len() < room
            && list.line.len() >= self.size
            && let Some(first) = list.line.first_entry()
            && batch.has_room_for(first.get())
        {
            batch.push(first.remove());
        }
        batch
    }

    /// A worker has ended; it may have been free.
    pub(super) fn remove(&self, number: u64) {
        let _removed = {
            let mut list = self.list();
            let place = list.free.iter().position(|worker| worker.number == number);
            place.map(|place| list.free.swap_remove(place))
        };
    }

    /// A place could not be filled; `is_new` when it could, the time before.
    pub(super) fn absent(&self, is_new: bool) {
        let in_vain = {
            let mut list = self.list();
            list.absent += usize::from(is_new);
            if list.absent == self.size { std::mem::take(&mut list.line) } else { BTreeMap::new() }
        };
        in_vain.into_values().for_each(WaitingCall::send_away);
    }

    /// A place that could not be filled is filled again.
    pub(super) fn present(&self) {
        self.list().absent -= 1;
    }

    /// Nobody gets a worker any more; those that are free may go.
    pub(super) fn close(&self) {
        let (free, line) = {
            let mut list = self.list();
            list.is_closed = true;
            (std::mem::take(&mut list.free), std::mem::take(&mut list.line))
        };
        line.into_values().for_each(WaitingCall::send_away);
        free.into_iter().for_each(WorkerHandle::retire);
    }

    /// Has all that are free taken for quick, as they would be after a quick answer.
    #[cfg(test)]
    pub(super) fn hurry(&self) {
        self.list().free.iter_mut().for_each(WorkerHandle::hurry);
    }

    // Nothing in there panics half-way.
    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl List {
    /// A worker that is free and, as far as is known, lives.
    fn next_free(&mut self) -> Option<WorkerHandle> {
        loop {
            match self.free.pop() {
                // Its supervisor looks for it here in vain.
                Some(worker) if worker.has_ended() => {}
                free => return free,
            }
        }
    }
}

impl Drop for PlaceInLine<'_> {
    fn drop(&mut self) {
        // Nothing is left to come for one whose turn was heard.
        if self.turn.is_terminated() {
            return;
        }
        drop(self.roster.list().line.remove(&self.number));
        self.turn.close();
        // A worker that was on its way to one who has gone is free. One that has begun is not, and is killed.
        if let Ok(CallTurn::Ask(worker)) = self.turn.try_recv() {
            self.roster.put(worker);
        }
    }
}
