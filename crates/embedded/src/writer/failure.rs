//! Handling a batch that cannot be written, and closing the store.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use redrive_journal::AppendError;
use redrive_model::{OpContext, WriteKeys};
use redrive_store::{Request, StoreError};

use super::admit::is_read;
use super::listen::is_empty;
use super::writer::Answers;
use super::{Mode, Writer};
use crate::message::{Message, QueuedRequest};
use crate::persistence::Persistence;

impl Writer {
    /// Handles a batch that was not written. The state in memory is then ahead of the disk and must not be visible, so
    /// it is replaced by the acknowledged state.
    pub(super) fn fail(&mut self, error: &AppendError, answers: Answers) {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        let is_poisoned = matches!(error, AppendError::Poisoned(_));
        tracing::error!(error = %error, cause = cause.as_deref(), is_poisoned, "failed to write a batch");
        self.facts.clear();
        let acknowledged = match &mut self.persistence {
            Persistence::Log(log) => {
                log.abandon_checkpoint();
                log.acknowledged()
            }
            Persistence::Memory(_) => Err("memory has no copy".to_owned()),
        };
        self.mode = match acknowledged {
            Ok(mut state) => {
                state.succeed(&self.state);
                self.state = state;
                if is_poisoned { Mode::ReadOnly } else { Mode::Working }
            }
            Err(error) => {
                tracing::error!(error = %error, "failed to read the acknowledged state from disk");
                Mode::Unavailable
            }
        };
        self.status.is_poisoned.store(self.mode != Mode::Working, Ordering::Relaxed);
        // If the journal is not poisoned, there was no space for the batch: the bound of some request was too small.
        let reply_error = if self.mode == Mode::Working { StoreError::Full } else { StoreError::Poisoned };
        let waiters = self.waiting.take_all().into_iter().map(|waiter| waiter.reply);
        let listeners = self.listening.take_all().into_iter().map(|listener| listener.reply);
        for reply in answers.into_iter().map(|(reply, _)| reply).chain(waiters).chain(listeners) {
            reply.send(Err(reply_error.clone()));
        }
    }

    pub(super) fn read_only(&mut self, requests: Vec<QueuedRequest>, op: OpContext, answers: &mut Answers) {
        for QueuedRequest { request, reply, .. } in requests {
            let is_answered = self.mode == Mode::ReadOnly && is_read(&request);
            let waits = matches!(&request, Request::ReadChanges(read) if !read.wait.is_zero());
            let answer = if is_answered {
                let answer = self.executor(op).execute(request, WriteKeys { writes: Vec::new() });
                // Nothing changes any more: a reader with an empty answer would retry forever.
                if waits && is_empty(&answer) { Err(StoreError::Poisoned) } else { answer }
            } else {
                Err(StoreError::Poisoned)
            };
            answers.push((reply, answer));
        }
    }

    pub(super) fn prove(&mut self) {
        self.is_unproven = false;
        if let Persistence::Log(log) = &mut self.persistence
            && let Err(error @ AppendError::Poisoned(_)) = log.prove()
        {
            self.fail(&error, Vec::new());
        }
    }

    /// Releases items that were leased to callers who have gone without reading their answer.
    fn release_abandoned(&mut self) {
        self.readers.finish();
        while let Some(Message::Request(request)) = self.abandoned.next() {
            self.work(vec![request], Vec::new());
        }
        self.damaged.extend(self.readers.damaged.take());
        self.answer_damaged();
    }

    /// Completes a running checkpoint on a full disk: an incomplete one has used space and lets nothing be dropped.
    fn finish_checkpoint(&mut self) {
        let status = Arc::clone(&self.status);
        let is_full = || status.is_full.load(Ordering::Relaxed);
        while is_full() && self.is_checkpoint_running() && self.mode == Mode::Working && !self.is_stuck {
            self.work(Vec::new(), Vec::new());
        }
    }

    /// Answers all remaining requests with `Closed`, closes the log and publishes the result.
    pub(super) fn close(mut self) {
        for waiter in self.waiting.take_all() {
            waiter.reply.send(Err(StoreError::Closed));
        }
        for listener in self.listening.take_all() {
            listener.reply.send(Err(StoreError::Closed));
        }
        #[cfg(feature = "test-mode")]
        self.held_back.extend(self.frozen_queues.take_all());
        for request in self.held_back.drain(..) {
            request.reply.send(Err(StoreError::Closed));
        }
        for message in self.deferred.drain(..).chain(self.inbox.try_iter()) {
            if let Message::Request(request) = message {
                request.reply.send(Err(StoreError::Closed));
            }
        }
        self.release_abandoned();
        self.finish_checkpoint();
        drop(self.inbox);
        let closed = match self.persistence {
            Persistence::Memory(_) => Ok(()),
            Persistence::Log(log) => log.close(),
        };
        if let Err(error) = &closed {
            tracing::error!(error = %error, "failed to close the store cleanly; no acknowledged data is lost");
        }
        // Full or poisoned: acknowledged data is safe in both cases. Opening the store again reports the details.
        let closed = closed.map_err(|error| match error {
            AppendError::Poisoned(_) => StoreError::Poisoned,
            _ => StoreError::Full,
        });
        let _no_receiver = self.closed.send(Some(closed));
    }
}
