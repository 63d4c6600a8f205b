//! Readers of the feed who wait for the next change.

use redrive_core::MonotonicTime;
use redrive_model::ReadChanges;

use crate::reply::ReplyTo;

/// A reader who waits.
#[derive(Debug)]
pub(crate) struct Listener {
    pub(crate) read: ReadChanges,
    pub(crate) deadline: MonotonicTime,
    pub(crate) reply: ReplyTo,
}

/// Those who wait for a change. They are few: each of them is looked at after every batch.
#[derive(Debug, Default)]
pub(crate) struct FeedWaiters {
    listeners: Vec<Listener>,
}

impl FeedWaiters {
    /// So many may wait in all: as many as there are cursors, and for each one somebody who came again before the store
    /// knew that he had gone.
    pub(crate) const MAX: usize = 128;

    /// Whether one more would be too many. Those who have gone are forgotten first.
    pub(crate) fn is_full(&mut self) -> bool {
        if self.listeners.len() >= Self::MAX {
            self.listeners.retain(|listener| !listener.reply.is_closed());
        }
        self.listeners.len() >= Self::MAX
    }

    pub(crate) fn add(&mut self, listener: Listener) {
        self.listeners.push(listener);
    }

    /// Takes out those for whom `is_over` holds, and forgets those who have gone.
    pub(crate) fn take(&mut self, is_over: impl Fn(&Listener) -> bool) -> Vec<Listener> {
        self.listeners.retain(|listener| !listener.reply.is_closed());
        self.listeners.extract_if(.., |listener| is_over(listener)).collect()
    }

    pub(crate) fn take_all(&mut self) -> Vec<Listener> {
        std::mem::take(&mut self.listeners)
    }

    pub(crate) fn next_deadline(&self) -> Option<MonotonicTime> {
        self.listeners.iter().map(|listener| listener.deadline).min()
    }
}
