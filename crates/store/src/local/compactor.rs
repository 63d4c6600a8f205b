//! Gives up files of which little is still needed.
//!
//! A thread of its own reads such a file and hands its documents to the writer, a small piece at a time; the writer
//! writes again what is still held. The next piece is sent when the last one is durable, so compaction goes as fast
//! as there is room between other work, and no faster.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use redrive_journal::Reader;
use redrive_queue::{Place, Relocate};

use super::answer::{location, place};
use super::message::Message;

/// How far the giving up of a file came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compacted {
    /// All that is needed of it stands elsewhere.
    Whole,
    /// There was no room to write it again.
    Interrupted,
    Unreadable,
}

#[derive(Debug)]
pub(crate) struct Compactor {
    shelves: SyncSender<u32>,
    is_hurried: Arc<AtomicBool>,
}

/// So much is handed to the writer at once.
const PIECE_BYTES: usize = 64 * 1024;
/// Between two pieces others have the disk for themselves, unless there is a hurry.
const PAUSE: Duration = Duration::from_millis(2);
/// Of so many documents the writer is asked at once whether they are still needed.
const ASKED_AT_ONCE: usize = 4096;
/// What a document costs besides its bytes.
const DOCUMENT_BYTES: usize = 64;

impl Compactor {
    pub(crate) fn start(reader: Reader, writer: SyncSender<Message>, piece_max: usize) -> std::io::Result<Self> {
        let (shelves, inbox) = sync_channel(1);
        let is_hurried = Arc::new(AtomicBool::new(false));
        let piece_max = piece_max.min(PIECE_BYTES);
        let worker = Worker { reader, writer, piece_max, is_hurried: Arc::clone(&is_hurried) };
        // Not joined: it ends with the writer's channel, and holds nothing that anybody waits for.
        let _thread =
            std::thread::Builder::new().name("redrive-compactor".to_owned()).spawn(move || worker.run(&inbox))?;
        Ok(Self { shelves, is_hurried })
    }

    /// Whether garbage grows faster than it is cleared away.
    pub(crate) fn hurry(&self, is_hurried: bool) {
        self.is_hurried.store(is_hurried, Ordering::Relaxed);
    }

    /// Begins with a file; `false` when it is still busy with another.
    pub(crate) fn give_up(&self, shelf: u32) -> bool {
        self.shelves.try_send(shelf).is_ok()
    }
}

/// An item's slot, and where a document of its may be.
type Candidate = (u32, Place);

struct Worker {
    reader: Reader,
    writer: SyncSender<Message>,
    piece_max: usize,
    is_hurried: Arc<AtomicBool>,
}

impl Worker {
    fn run(self, inbox: &Receiver<u32>) {
        while let Ok(shelf) = inbox.recv() {
            let outcome = self.give_up(shelf);
            if self.writer.send(Message::Compacted { shelf, outcome }).is_err() {
                return;
            }
        }
    }

    fn give_up(&self, shelf: u32) -> Compacted {
        let mut candidates = Vec::new();
        let walked = self.reader.walk(shelf, |record| {
            candidates.extend(Relocate::slot_of(record.kind, record.body).map(|slot| (slot, place(record.location))));
        });
        let given_up = walked.map_err(|error| error.to_string()).and_then(|()| self.write_again(&candidates));
        given_up.unwrap_or_else(|error| {
            tracing::error!(segment = shelf, error = %error, "a segment cannot be compacted");
            Compacted::Unreadable
        })
    }

    /// Has the writer write again what is still held of a file.
    fn write_again(&self, candidates: &[Candidate]) -> Result<Compacted, String> {
        for asked in candidates.chunks(ASKED_AT_ONCE) {
            let Some(held) = self.held(asked) else { return Ok(Compacted::Interrupted) };
            let mut rest = held.as_slice();
            while !rest.is_empty() {
                let mut bytes = 0;
                let fits = |(_, place): &&Candidate| {
                    let is_first = bytes == 0;
                    bytes += place.len as usize + DOCUMENT_BYTES;
                    is_first || bytes <= self.piece_max
                };
                let (piece, others) = rest.split_at(rest.iter().take_while(fits).count());
                if !self.hand_over(self.read(piece)?) {
                    return Ok(Compacted::Interrupted);
                }
                rest = others;
            }
        }
        Ok(Compacted::Whole)
    }

    /// Those of the documents that are still needed; `None` when the writer is gone.
    fn held(&self, candidates: &[Candidate]) -> Option<Vec<Candidate>> {
        let (reply, held) = sync_channel(1);
        self.writer.send(Message::WhichAreHeld { candidates: candidates.to_vec(), reply }).ok()?;
        held.recv().ok()
    }

    fn read(&self, piece: &[Candidate]) -> Result<Vec<Relocate>, String> {
        let locations: Vec<_> = piece.iter().map(|(_, place)| location(*place)).collect();
        let records = self.reader.read_many(&locations).map_err(|error| error.to_string())?;
        let documents = records.into_iter().zip(piece).map(|(record, (slot, old))| {
            Relocate::new(*slot, *old, record.kind, &record.body).map_err(|broken| broken.to_string())
        });
        documents.collect()
    }

    /// Whether the writer has written them again, as far as they are still needed.
    fn hand_over(&self, documents: Vec<Relocate>) -> bool {
        if !self.is_hurried.load(Ordering::Relaxed) {
            std::thread::park_timeout(PAUSE);
        }
        let (done, is_done) = sync_channel(1);
        self.writer.send(Message::Relocate { documents, done }).is_ok() && is_done.recv() == Ok(true)
    }
}
