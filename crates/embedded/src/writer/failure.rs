//! When a batch cannot be written, and at the end.

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
    /// A batch was not written: what is in memory is ahead of the disk, and nobody may see that.
    pub(super) fn fail(&mut self, error: &AppendError, answers: Answers) {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        let is_poisoned = matches!(error, AppendError::Poisoned(_));
        tracing::error!(error = %error, cause = cause.as_deref(), is_poisoned, "a batch could not be written");
        self.facts.clear();
        let acknowledged = match &mut self.persistence {
            Persistence::Log(log) => {
                log.abandon_sweep();
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
                tracing::error!(error = %error, "what was acknowledged could not be read again");
                Mode::Blind
            }
        };
        self.vitals.is_poisoned.store(self.mode != Mode::Working, Ordering::Relaxed);
        // Where nothing was written, there was no room for it: that of some requests was reckoned too small.
        let told = if self.mode == Mode::Working { StoreError::Full } else { StoreError::Poisoned };
        let waiters = self.waiting.take_all().into_iter().map(|waiter| waiter.reply);
        let listeners = self.listening.take_all().into_iter().map(|listener| listener.reply);
        for reply in answers.into_iter().map(|(reply, _)| reply).chain(waiters).chain(listeners) {
            reply.send(Err(told.clone()));
        }
    }

    pub(super) fn read_only(&mut self, requests: Vec<QueuedRequest>, op: OpContext, answers: &mut Answers) {
        for QueuedRequest { request, reply, .. } in requests {
            let is_answered = self.mode == Mode::ReadOnly && is_read(&request);
            let waits = matches!(&request, Request::ReadChanges(read) if !read.wait.is_zero());
            let answer = if is_answered {
                let answer = self.executor(op).execute(request, WriteKeys { writes: Vec::new() });
                // Nothing changes any more: whoever was told to come again would do so for ever.
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

    /// Takes back what was given to those who went without reading their answer: nobody holds it.
    fn take_back(&mut self) {
        self.readers.finish();
        while let Some(Message::Request(request)) = self.returns.next() {
            self.work(vec![request], Vec::new());
        }
        self.damaged.extend(self.readers.damaged.take());
        self.answer_damaged();
    }

    /// Ends the description that is under way on a full disk: half of one has used room and lets nothing be dropped.
    fn finish_description(&mut self) {
        let vitals = Arc::clone(&self.vitals);
        let is_full = || vitals.is_full.load(Ordering::Relaxed);
        while is_full() && self.is_being_described() && self.mode == Mode::Working && !self.is_stuck {
            self.work(Vec::new(), Vec::new());
        }
    }

    /// Answers those who are left, and gives everything back.
    pub(super) fn close(mut self) {
        for waiter in self.waiting.take_all() {
            waiter.reply.send(Err(StoreError::Closed));
        }
        for listener in self.listening.take_all() {
            listener.reply.send(Err(StoreError::Closed));
        }
        for request in self.frozen_queues.take_all().into_iter().chain(self.held_back.drain(..)) {
            request.reply.send(Err(StoreError::Closed));
        }
        for message in self.first.drain(..).chain(self.inbox.try_iter()) {
            if let Message::Request(request) = message {
                request.reply.send(Err(StoreError::Closed));
            }
        }
        self.take_back();
        self.finish_description();
        drop(self.inbox);
        let closed = match self.persistence {
            Persistence::Memory(_) => Ok(()),
            Persistence::Log(log) => log.close(),
        };
        if let Err(error) = &closed {
            tracing::error!(error = %error, "the store could not be closed cleanly; nothing that was acknowledged is lost");
        }
        // Full or poisoned: what was acknowledged is safe either way, and the next opening says the rest.
        let closed = closed.map_err(|error| match error {
            AppendError::Poisoned(_) => StoreError::Poisoned,
            _ => StoreError::Full,
        });
        let _nobody_asked = self.closed.send(Some(closed));
    }
}
