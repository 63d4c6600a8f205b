//! Sending the replies of a durable batch.

use super::Writer;
use super::writer::Answers;
use crate::persistence::Persistence;
use crate::readers::Job;
use redrive_store::StoreError;

impl Writer {
    pub(super) fn release(&mut self, answers: Answers) {
        for (reply, answer) in answers {
            let answer = match answer {
                Ok(answer) => answer,
                Err(error) => {
                    reply.send(Err(error));
                    continue;
                }
            };
            let missing = answer.missing();
            let reader = match &self.persistence {
                Persistence::Log(log) if !missing.is_empty() => Some(log.reader().pinned(missing)),
                _ => None,
            };
            let next = answer.leased_from();
            match reader {
                // No document is read, so none can be found damaged.
                None => reply.send(answer.finish(None).0),
                Some(Ok(reader)) => self.readers.read(Job { answer, reader, reply }),
                Some(Err(error)) => reply.send(Err(StoreError::Unreadable(error.to_string()))),
            }
            if let Some(next) = next {
                self.read_ahead(&next);
            }
        }
    }
}
