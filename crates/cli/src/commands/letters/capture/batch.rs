//! Collects letters into requests, up to the limits of the server.

use anyhow::{Result, ensure};
use bytes::Bytes;
use redrive_client::proto::prost::Message;
use redrive_client::proto::redrive::v1::{CaptureLetter, LettersCaptureRequest};

use super::letter_options::LetterOptions;
use super::output::{HEADER, push};
use crate::console::Lines;
use crate::session::{Interrupt, Session};

const LETTERS_MAX: usize = 1_000;
/// Slightly below the default limit of the server: a request also has the name of the queue.
const BYTES_MAX: usize = 4_990_000;
/// The overhead of a letter in a request.
const FRAME_BYTES: usize = 8;

pub(super) struct Batch<'s> {
    pub(super) session: &'s Session,
    queue_name: String,
    template: CaptureLetter,
    letters: Vec<CaptureLetter>,
    bytes: usize,
    pub(super) output: Lines,
    pub(super) done: u64,
}

impl<'s> Batch<'s> {
    pub(super) fn new(session: &'s Session, queue: &str, options: &LetterOptions) -> Self {
        Self {
            session,
            queue_name: queue.to_owned(),
            template: options.template(),
            letters: Vec::new(),
            bytes: 0,
            output: Lines::new(session.format, HEADER),
            done: 0,
        }
    }

    /// Adds a letter. Sends the letters before it first, if the request would become too large.
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

    /// Sends the collected letters, and prints the result.
    pub(super) async fn send(&mut self) -> Result<()> {
        if self.session.interrupt.is_raised() {
            return Err(Interrupt::error("interrupted").into());
        }
        self.bytes = 0;
        let letters = std::mem::take(&mut self.letters);
        if letters.is_empty() {
            return Ok(());
        }
        let source_ids: Vec<_> = letters.iter().map(|letter| letter.source_id.clone()).collect();
        let request = LettersCaptureRequest { queue_name: self.queue_name.clone(), letters };
        let captured = self.session.call_to_end(self.session.client.capture_letters(&request)).await?.letters;
        ensure!(captured.len() == source_ids.len(), "the server's answer does not have a result for every letter");
        self.done += u64::try_from(captured.len())?;
        for (source_id, captured) in source_ids.iter().zip(&captured) {
            push(&mut self.output, &self.queue_name, source_id, captured)?;
        }
        self.output.flush()
    }
}
