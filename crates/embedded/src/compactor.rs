//! Compacts segments that contain few needed documents.
//!
//! The compactor thread reads such a segment and sends its documents to the writer, in small pieces; the writer
//! rewrites those that are still in use. The next piece is sent when the last one is durable, so compaction is only as
//! fast as other work permits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use redrive_journal::{ReadError, Reader};
use redrive_model::{CorruptRecord, DocumentRef};
use redrive_queue::Relocate;

use crate::answer::{location, place};
use crate::message::{CompactionOutcome, Message};

#[derive(Debug)]
pub(crate) struct Compactor {
    tx: SyncSender<u32>,
    is_urgent: Arc<AtomicBool>,
}

/// The size of a piece that is sent to the writer.
const PIECE_BYTES: usize = 64 * 1024;
/// The pause between two pieces, which leaves the disk to other work. Omitted if compaction is urgent.
const PAUSE: Duration = Duration::from_millis(2);
/// For how many documents at once the writer is asked whether they are still in use.
const CANDIDATES_AT_ONCE: usize = 4096;
/// The overhead of a document.
const DOCUMENT_BYTES: usize = 64;

impl Compactor {
    pub(crate) fn start(reader: Reader, writer: SyncSender<Message>, piece_max: usize) -> std::io::Result<Self> {
        let (tx, rx) = sync_channel(1);
        let is_urgent = Arc::new(AtomicBool::new(false));
        let piece_max = piece_max.min(PIECE_BYTES);
        let thread = CompactorThread { reader, writer, piece_max, is_urgent: Arc::clone(&is_urgent) };
        // Not joined: the thread ends with the writer's channel, and nothing waits for it.
        let _handle =
            std::thread::Builder::new().name("redrive-compactor".to_owned()).spawn(move || thread.run(&rx))?;
        Ok(Self { tx, is_urgent })
    }

    /// Sets whether compaction works without pauses.
    pub(crate) fn set_urgent(&self, is_urgent: bool) {
        self.is_urgent.store(is_urgent, Ordering::Relaxed);
    }

    /// Starts compacting a segment. Returns `false` if another one is still being compacted.
    pub(crate) fn compact(&self, segment: u32) -> bool {
        self.tx.try_send(segment).is_ok()
    }
}

/// The slot of an item, and a document that it may use.
type Candidate = (u32, DocumentRef);

/// A segment cannot be compacted.
#[derive(Debug, thiserror::Error)]
enum CompactError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Broken(#[from] CorruptRecord),
}

struct CompactorThread {
    reader: Reader,
    writer: SyncSender<Message>,
    piece_max: usize,
    is_urgent: Arc<AtomicBool>,
}

impl CompactorThread {
    fn run(self, rx: &Receiver<u32>) {
        while let Ok(segment) = rx.recv() {
            let outcome = self.compact(segment);
            if self.writer.send(Message::Compacted { segment, outcome }).is_err() {
                return;
            }
        }
    }

    fn compact(&self, segment: u32) -> CompactionOutcome {
        let mut candidates = Vec::new();
        let walked = self.reader.walk(segment, |record| {
            candidates.extend(Relocate::slot_of(record.kind, record.body).map(|slot| (slot, place(record.location))));
        });
        match walked.map_err(CompactError::from).and_then(|()| self.rewrite(&candidates)) {
            Ok(outcome) => outcome,
            // Meanwhile the last item that needed the segment was completed, and the writer has dropped it.
            Err(CompactError::Read(ReadError::Dropped { .. })) => CompactionOutcome::Complete,
            Err(error) => {
                tracing::error!(segment, error = %error, "failed to compact a segment");
                CompactionOutcome::Unreadable
            }
        }
    }

    /// Has the writer rewrite the documents that are still in use.
    fn rewrite(&self, candidates: &[Candidate]) -> Result<CompactionOutcome, CompactError> {
        for chunk in candidates.chunks(CANDIDATES_AT_ONCE) {
            let Some(used) = self.in_use(chunk) else { return Ok(CompactionOutcome::Interrupted) };
            let mut rest = used.as_slice();
            while !rest.is_empty() {
                let mut bytes = 0;
                let fits = |(_, place): &&Candidate| {
                    let is_first = bytes == 0;
                    bytes += place.len as usize + DOCUMENT_BYTES;
                    is_first || bytes <= self.piece_max
                };
                let (piece, others) = rest.split_at(rest.iter().take_while(fits).count());
                if !self.relocate(self.read(piece)?) {
                    return Ok(CompactionOutcome::Interrupted);
                }
                rest = others;
            }
        }
        Ok(CompactionOutcome::Complete)
    }

    /// The candidates that are still in use; `None` if the writer has ended.
    fn in_use(&self, candidates: &[Candidate]) -> Option<Vec<Candidate>> {
        let (reply, rx) = sync_channel(1);
        self.writer.send(Message::WhichAreInUse { candidates: candidates.to_vec(), reply }).ok()?;
        rx.recv().ok()
    }

    fn read(&self, piece: &[Candidate]) -> Result<Vec<Relocate>, CompactError> {
        let locations: Vec<_> = piece.iter().map(|(_, place)| location(*place)).collect();
        let records = self.reader.read_many(&locations)?;
        let documents = records
            .into_iter()
            .zip(piece)
            .map(|(record, (slot, old))| Ok(Relocate::new(*slot, *old, record.kind, &record.body)?));
        documents.collect()
    }

    /// Sends documents to the writer. Returns whether it has rewritten those that are still in use.
    fn relocate(&self, documents: Vec<Relocate>) -> bool {
        if !self.is_urgent.load(Ordering::Relaxed) {
            std::thread::park_timeout(PAUSE);
        }
        let (done, rx) = sync_channel(1);
        self.writer.send(Message::Relocate { documents, done }).is_ok() && rx.recv() == Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use redrive_journal::{Journal, Options, SimDisk};

    use super::*;

    #[test]
    fn compacting_a_segment_that_was_dropped_meanwhile_is_complete() {
        let options = Options { segment_bytes: 64 * 1024, spares: 1 };
        let (journal, _) = Journal::open(Arc::new(SimDisk::new()), Path::new("log"), options, |_| Ok(())).unwrap();
        let (writer, _rx) = sync_channel(1);
        let is_urgent = Arc::new(AtomicBool::new(false));
        let thread = CompactorThread { reader: journal.reader(), writer, piece_max: PIECE_BYTES, is_urgent };
        assert_eq!(thread.compact(99), CompactionOutcome::Complete);
    }
}
