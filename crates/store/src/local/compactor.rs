//! Gives up files of which little is still needed.
//!
//! A thread of its own reads such a file and hands its documents to the writer, a small piece at a time; the writer
//! writes again what is still held. The next piece is sent when the last one is durable, so compaction goes as fast
//! as there is room between other work, and no faster.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use bytes::Bytes;
use redrive_journal::Reader;
use redrive_queue::{Facts, Relocate};

use super::answer::place;
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
const PAUSE: Duration = Duration::from_millis(1);
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
        let mut piece = Vec::new();
        let mut bytes = 0;
        let mut is_open = true;
        let walked = self.reader.walk(shelf, |record| {
            let Some(slot) = Relocate::slot_of(record.kind, record.body) else { return };
            let body = Bytes::copy_from_slice(record.body);
            let Ok(document) = Facts::document_of(&body) else { return };
            bytes += document.len() + DOCUMENT_BYTES;
            piece.push(Relocate { slot, old: place(record.location), document });
            if bytes >= self.piece_max {
                bytes = 0;
                is_open = is_open && self.hand_over(std::mem::take(&mut piece));
            }
        });
        if let Err(error) = &walked {
            tracing::error!(segment = shelf, error = %error, "a segment cannot be compacted");
            return Compacted::Unreadable;
        }
        if is_open && self.hand_over(piece) { Compacted::Whole } else { Compacted::Interrupted }
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
