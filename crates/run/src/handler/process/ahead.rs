//! Requests that a worker has before it has answered the one it is at.
//!
//! A worker that answers in microseconds is woken for every request, and we are for every answer: that takes longer than
//! its work. With some requests ahead it goes on by itself, several are written at once, and one look at its pipe finds
//! several answers.
//!
//! A call whose request was written ahead has not begun, since the worker is at an earlier one. It begins, and counts, when
//! all before it were answered. If the worker ends before, it goes back to the line, whatever the worker ended of.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::Poll;

use super::turn::WaitingCall;

/// The calls whose requests a worker has, in their order.
#[derive(Debug)]
pub(super) struct SentAhead {
    calls: VecDeque<WaitingCall>,
    /// So many it takes.
    most: usize,
}

/// Calls whose requests are written together, all or none.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) calls: Vec<WaitingCall>,
    bytes: usize,
}

impl SentAhead {
    /// No worker gets more, whatever it asks for.
    const MOST: usize = 16;

    pub(super) fn at_most(most: usize) -> Self {
        Self { calls: VecDeque::new(), most: most.min(Self::MOST) }
    }

    /// How many more it takes; none while it has half of them, so that several go together.
    pub(super) fn room(&self) -> usize {
        if self.calls.len() * 2 < self.most { self.most - self.calls.len() } else { 0 }
    }

    pub(super) fn push(&mut self, batch: Batch) {
        self.calls.extend(batch.calls);
    }

    /// The call that the worker is at, now that it has answered the one before.
    pub(super) fn pop(&mut self) -> Option<WaitingCall> {
        self.calls.pop_front()
    }

    pub(super) fn bytes(&self) -> usize {
        self.calls.iter().map(|call| call.request.len()).sum()
    }
}

impl Batch {
    /// So much a pipe takes whole or not at all: `PIPE_BUF`, on Linux.
    const BYTES_MAX: usize = 4096;

    pub(super) fn has_room_for(&self, waiter: &WaitingCall) -> bool {
        !waiter.is_sent_back && self.bytes + waiter.request.len() <= Self::BYTES_MAX
    }

    pub(super) fn push(&mut self, waiter: WaitingCall) {
        self.bytes += waiter.request.len();
        self.calls.push(waiter);
    }
}

/// Lets all tasks run that can: those that are about to wait for a worker wait then, and can be written ahead. The
/// runtime's own way would look at timers and sockets, too, which costs a call of the operating system.
pub(super) async fn others_first() {
    let mut is_second = false;
    poll_fn(|context| {
        if std::mem::replace(&mut is_second, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
