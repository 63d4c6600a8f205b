//! Gives up files of which little is still needed.
//!
//! A thread of its own reads such a file and hands its documents to the writer, a small piece at a time; the writer
//! writes again what is still held. The next piece is sent when the last one is durable, so compaction goes as fast
//! as there is room between other work, and no faster.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use redrive_journal::{ReadError, Reader};
use redrive_model::{CorruptRecord, DocumentRef};
use redrive_queue::Relocate;

use crate::answer::{location, place};
use crate::message::{Compacted, Message};

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
type Candidate = (u32, DocumentRef);

/// Why a file cannot be given up.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Broken(#[from] CorruptRecord),
}

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
        match walked.map_err(Trouble::from).and_then(|()| self.write_again(&candidates)) {
            Ok(outcome) => outcome,
            // The last of it was completed meanwhile, and the writer has removed it.
            Err(Trouble::Read(ReadError::Dropped { .. })) => Compacted::Whole,
            Err(error) => {
                tracing::error!(segment = shelf, error = %error, "a segment cannot be compacted");
                Compacted::Unreadable
            }
        }
    }

    /// Has the writer write again what is still held of a file.
    fn write_again(&self, candidates: &[Candidate]) -> Result<Compacted, Trouble> {
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

    fn read(&self, piece: &[Candidate]) -> Result<Vec<Relocate>, Trouble> {
        let locations: Vec<_> = piece.iter().map(|(_, place)| location(*place)).collect();
        let records = self.reader.read_many(&locations)?;
        let documents = records
            .into_iter()
            .zip(piece)
            .map(|(record, (slot, old))| Ok(Relocate::new(*slot, *old, record.kind, &record.body)?));
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use redrive_journal::{Journal, Options, SimDisk};

    use super::*;

    #[test]
    fn a_file_that_was_removed_meanwhile_is_given_up() {
        let options = Options { segment_bytes: 64 * 1024, spares: 1 };
        let (journal, _) = Journal::open(Arc::new(SimDisk::new()), Path::new("log"), options, |_| Ok(())).unwrap();
        let (writer, _asked) = sync_channel(1);
        let is_hurried = Arc::new(AtomicBool::new(false));
        let worker = Worker { reader: journal.reader(), writer, piece_max: PIECE_BYTES, is_hurried };
        assert_eq!(worker.give_up(99), Compacted::Whole);
    }
}
