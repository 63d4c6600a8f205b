//! Requests to read the feed that wait for the next change.

use redrive_core::MonotonicTime;
use redrive_model::ReadChanges;

use crate::reply::ReplyTo;

/// A waiting request to read the feed.
#[derive(Debug)]
pub(crate) struct Listener {
    pub(crate) read: ReadChanges,
    pub(crate) deadline: MonotonicTime,
    pub(crate) reply: ReplyTo,
}

/// The waiting readers of the feed. There are few: each of them is checked after every batch.
#[derive(Debug, Default)]
pub(crate) struct FeedWaiters {
    listeners: Vec<Listener>,
}

impl FeedWaiters {
    /// The maximum number of waiting readers: one per cursor, plus one per cursor that has reconnected before the store
    /// noticed that it had gone.
    pub(crate) const MAX: usize = 128;

    /// Whether the limit is reached, after removing disconnected readers.
    pub(crate) fn is_full(&mut self) -> bool {
        if self.listeners.len() >= Self::MAX {
            self.listeners.retain(|listener| !listener.reply.is_closed());
        }
        self.listeners.len() >= Self::MAX
    }

    pub(crate) fn add(&mut self, listener: Listener) {
        self.listeners.push(listener);
    }

    /// Removes disconnected readers, and removes and returns those for which `is_over` holds.
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
