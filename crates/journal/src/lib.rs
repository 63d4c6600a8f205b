//! A segmented log on disk: append batches of records, read them back, and recover after a crash.
//!
//! A journal is a directory of segment files. Each batch is one write and one sync; after a crash either all
//! of its records are present or none. Synced data that cannot be read any more is always detected and
//! reported, never skipped. The journal knows nothing of queues: a record is a number, a kind and bytes.
//!
//! It is not a database: there is no index, no update and no delete. Space is reclaimed by dropping whole
//! segments, once a recovery point past their end has been set.
//!
//! ```
//! use std::path::Path;
//! use std::sync::Arc;
//! use redrive_journal::{Batch, Journal, Options, SimDisk, Use};
//!
//! let disk = Arc::new(SimDisk::new());
//! let directory = Path::new("/journal");
//! let options = Options { segment_bytes: 64 * 1024, ..Options::default() };
//!
//! let (mut journal, _) = Journal::open(disk.clone(), directory, options, |_| Ok(())).unwrap();
//! let mut batch = Batch::new();
//! batch.push(1, &[b"hello"]).unwrap();
//! let appended = journal.append(&mut batch, Use::Ordinary).unwrap();
//! let record = journal.reader().read(appended.locations[0]).unwrap();
//! assert_eq!(record.body, &b"hello"[..]);
//! journal.close().unwrap();
//!
//! let mut found = Vec::new();
//! let (_, report) = Journal::open(disk, directory, options, |record| {
//!     found.push(record.body.to_vec());
//!     Ok(())
//! })
//! .unwrap();
//! assert_eq!(found, [b"hello"]);
//! assert!(report.cut.is_none());
//! ```
//!
//! The bytes are specified in `docs/journal-format.md`.
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `journal` | the writer: one write and one sync per batch; recovery points; dropping segments. Start reading here |
//! | `batch`, `record`, `purpose` | records on their way to disk, in one buffer; what a batch may use the reserve for |
//! | `format` | the encoding |
//! | `open`, `scan` | the state after a crash: the end, a cut tail, or damage |
//! | `segment`, `segment_marker`, `point` | one file of the log; the mark of the last segment; the recovery point |
//! | `spares`, `first_segment` | spare segments created ahead, and the reserve for a full disk, also before there are any |
//! | `reader` | records by their location, from any thread |
//! | `disk` | what a disk must support; the real disk, and one that violates everything a disk does not guarantee |
//! | `doctor` | reads a damaged journal, record by record |
//! | `options`, `error` | layout options; one error type per operation |
//!
//! # Invariants
//!
//! - A batch is acknowledged after its sync, and the next one is written after that. So a batch proves all batches
//!   before it. A failed write or sync poisons the journal: nothing more is acknowledged, reads continue.
//! - No file is changed before it is established that everything that was synced is readable.
//! - Ordinary work never uses the reserve; operations that free disk space may. The reserve is one spare segment, or as
//!   many as the owner requests. A new journal has no spare segments until its first segment is half full: until then
//!   the reserve is the end of that segment, a quarter of it or as much as the owner requests.
//! - On a full disk it is always possible to complete, to set a recovery point and to drop segments: the file of the
//!   next point exists before it is needed. Disk space that was promised is available for the next batch, even if the
//!   thread that creates segments finds the disk full in between.
//! - The reserve of a closed journal is still there when it is opened, and opening needs no disk space: a start
//!   overwrites existing files and creates only what it cannot do without.
//! - There is no thread and no clock. The owner calls [`Spares::fill`] from a separate thread, and [`Journal::prove`]
//!   after an idle second.

mod batch;
pub mod disk;
pub mod doctor;
mod error;
mod first_segment;
mod format;
mod journal;
mod open;
mod options;
mod point;
mod purpose;
mod reader;
mod record;
mod scan;
mod segment;
mod segment_marker;
mod spares;
#[cfg(test)]
mod tests;

pub use batch::{Batch, BodyTooLong};
#[cfg(feature = "sim")]
pub use disk::{Crash, SimDisk, SyncFault};
pub use disk::{Disk, DiskFile, DiskLock, DiskSpace, LockHolder, RealDisk};
pub use error::{AppendError, Damage, MaintainError, OpenError, ReadError};
pub use journal::{Appended, DetachedSegment, Journal, SegmentInfo};
pub use open::{Report, TailCut};
pub use options::Options;
pub use purpose::Use;
pub use reader::Reader;
pub use record::{Location, OwnedRecord, Record, Seq};
pub use spares::Spares;
