//! Telling callers what became of their requests.

use std::sync::Arc;

use redrive_queue::{Content, Place};

use super::Writer;
use super::writer::Answers;
use crate::StoreError;
use crate::local::answer::{Answer, location};
use crate::local::keeper::Keeper;
use crate::local::readers::Job;

/// So many items are read ahead, and no more bytes.
const READ_AHEAD: usize = 64;
const READ_AHEAD_BYTES: usize = 256 * 1024;

impl Writer {
    pub(super) fn release(&self, answers: Answers) {
        for (reply, answer) in answers {
            let answer = match answer {
                Ok(answer) => answer,
                Err(error) => {
                    reply.send(Err(error));
                    continue;
                }
            };
            let missing = answer.missing();
            let ahead = self.wanted_next(&answer, missing.len());
            let reader = match &self.keeper {
                Keeper::Log(log) if !missing.is_empty() => {
                    Some(log.reader().pinned(missing.into_iter().chain(ahead.iter().copied().map(location))))
                }
                _ => None,
            };
            match reader {
                None => reply.send(answer.finish(None)),
                Some(Ok(reader)) => {
                    self.readers.read(Job { answer, reader, reply, ahead });
                    continue;
                }
                Some(Err(error)) => reply.send(Err(StoreError::Unreadable(error.to_string()))),
            };
        }
    }

    /// What the next leases will ask for, where this one had to read a little from a backlog: reading a bit more
    /// costs nothing, and a handful of items at a time would wait for a handful of reads.
    pub(super) fn wanted_next(&self, answer: &Answer, missing: usize) -> Vec<Place> {
        let Keeper::Log(log) = &self.keeper else { return Vec::new() };
        let Some((queue, partition)) = answer.leased_from().filter(|_| (1..READ_AHEAD / 2).contains(&missing)) else {
            return Vec::new();
        };
        let mut bytes = 0;
        let mut places = self.state.upcoming(queue, partition, READ_AHEAD);
        places.retain(|place| {
            bytes += place.len as usize;
            bytes <= READ_AHEAD_BYTES && log.cache.get(*place).is_none()
        });
        places
    }

    pub(super) fn read_ahead(&mut self, contents: Vec<(Place, Arc<Content>)>) {
        let Keeper::Log(log) = &mut self.keeper else { return };
        for (place, content) in contents {
            // It may have been written again elsewhere, or be gone.
            if self.state.shelves().contains_key(&place.shelf) {
                log.cache.put_ahead(place, content);
            }
        }
    }
}
