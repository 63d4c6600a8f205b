//! Letters on their way: as many in one request as a server takes.

use anyhow::Result;
use bytes::Bytes;
use redrive_client::Letters;
use redrive_client::proto::prost::Message;
use redrive_client::proto::redrive::v1::CaptureLetter;

use super::letter::LetterOptions;
use super::printed::Printed;
use crate::session::{Interrupt, Session};

const LETTERS_MAX: usize = 1_000;
/// A little less than a server takes by default: the name of the queue is in the request, too.
const BYTES_MAX: usize = 4_990_000;
/// What a letter takes in a request besides its own bytes.
const FRAME_BYTES: usize = 8;

pub(super) struct Batch<'s> {
    pub(super) session: &'s Session,
    queue: Letters,
    template: CaptureLetter,
    letters: Vec<CaptureLetter>,
    bytes: usize,
    pub(super) printed: Printed,
    pub(super) done: u64,
}

impl<'s> Batch<'s> {
    pub(super) fn new(session: &'s Session, queue: &str, options: &LetterOptions) -> Self {
        Self {
            session,
            queue: session.client.letters(queue),
            template: options.template(),
            letters: Vec::new(),
            bytes: 0,
            printed: Printed::new(session.format),
            done: 0,
        }
    }

    /// Adds a letter; sends those before it, if there is no room for all.
    pub(super) async fn push(&mut self, source_id: String, payload: Bytes) -> Result<()> {
        let letter = CaptureLetter { source_id, bytes: payload, ..self.template.clone() };
        let size = letter.encoded_len() + FRAME_BYTES;
        if self.letters.len() >= LETTERS_MAX || self.bytes + size > BYTES_MAX {
            self.send().await?;
        }
        self.bytes += size;
        self.letters.push(letter);
        Ok(())
    }

    /// Sends what is held, and prints what became of it.
    pub(super) async fn send(&mut self) -> Result<()> {
        if self.session.interrupt.is_raised() {
            return Err(self.interrupted());
        }
        self.bytes = 0;
        let letters = std::mem::take(&mut self.letters);
        if letters.is_empty() {
            return Ok(());
        }
        let source_ids: Vec<_> = letters.iter().map(|letter| letter.source_id.clone()).collect();
        let captured = self.session.finish(self.queue.capture(letters)).await?;
        self.done += u64::try_from(captured.len())?;
        source_ids
            .iter()
            .zip(&captured)
            .try_for_each(|(source_id, captured)| self.printed.push(self.queue.queue_name(), source_id, captured))
    }

    pub(super) fn interrupted(&self) -> anyhow::Error {
        Interrupt::complaint("interrupted").into()
    }
}
