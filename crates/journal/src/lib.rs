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
pub use disk::{Crash, Disk, DiskFile, DiskLock, DiskSpace, LockHolder, RealDisk, SimDisk, SyncFault};
pub use error::{AppendError, Damage, MaintainError, OpenError, ReadError};
pub use journal::{Appended, DetachedSegment, Journal, SegmentInfo};
pub use open::{Report, TailCut};
pub use options::Options;
pub use purpose::Use;
pub use reader::Reader;
pub use record::{Location, OwnedRecord, Record, Seq};
pub use spares::Spares;
