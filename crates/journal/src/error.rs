//! The journal's errors, one type per operation.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::Seq;
use crate::disk::LockHolder;

/// The journal could not be opened. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{} is already open{}", directory.display(), by(holder.as_ref()))]
    Locked { directory: PathBuf, holder: Option<LockHolder> },
    #[error("{0}; save what is readable into a new directory with: redrive doctor salvage")]
    Damaged(Damage),
    #[error("{} was written by a newer version of Redrive (format {version}); use that version", file.display())]
    NewerVersion { file: PathBuf, version: u16 },
    #[error("{} is the target of a salvage that was not finished; remove it and salvage again", directory.display())]
    UnfinishedSalvage { directory: PathBuf },
    #[error("{0} is invalid: {1}")]
    Options(&'static str, String),
    /// No acknowledged record is lost. Only a new journal needs disk space: an existing one opens on a full disk.
    #[error("the disk is full: could not {what} {}; free disk space there, and open it again", path.display())]
    Full {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("could not {what} {}", path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The caller's visitor returned an error for a record.
    #[error("record {seq} could not be applied")]
    Visit {
        seq: Seq,
        #[source]
        source: VisitError,
    },
}

/// Why a visitor does not accept a record.
pub(crate) type VisitError = Box<dyn std::error::Error + Send + Sync>;

/// Where a locked journal is open, and what to do.
fn by(holder: Option<&LockHolder>) -> String {
    match holder {
        Some(holder) if holder.is_this() => " in this process; close that one first".to_owned(),
        Some(holder) => format!(" in {holder}; stop that process first"),
        None => ", here or in another process; close that one first".to_owned(),
    }
}

/// A place where synced data can no longer be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    pub file: PathBuf,
    pub offset: u64,
    pub what: &'static str,
    /// The first lost record, and the first readable one after it.
    pub lost: Option<(Seq, Seq)>,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is damaged at offset {}: {}", self.file.display(), self.offset, self.what)?;
        match self.lost {
            Some((from, until)) if until.0 <= from.0 => Ok(()),
            Some((from, until)) if until.0 == from.0 + 1 => write!(f, "; record {from} is lost"),
            Some((from, until)) => write!(f, "; records {from} to {} are lost", until.0 - 1),
            None => Ok(()),
        }
    }
}

/// A batch was not appended.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Nothing was written. The append can be retried once disk space has been freed.
    #[error("the disk is full: {needed} bytes are needed, and the rest is reserved for completing and purging")]
    Full { needed: usize },
    /// Nothing was written: a new segment could not be created, for a reason other than a full disk.
    #[error("no segment could be created")]
    NoSegment(#[source] io::Error),
    /// Nothing was written, and retrying cannot succeed.
    #[error("a batch of {needed} bytes does not fit into a segment of {most}")]
    TooLarge { needed: usize, most: usize },
    /// It is unknown whether the batch was written. The journal rejects all further batches.
    #[error("the disk failed, and what it holds of the last batch is unknown; close the journal and open it again")]
    Poisoned(#[source] Option<io::Error>),
}

/// A record could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("segment {segment} was dropped")]
    Dropped { segment: u32 },
    #[error("the record at offset {offset} of segment {segment} is damaged")]
    Damaged { segment: u32, offset: u32 },
    #[error("could not read segment {segment}")]
    Io {
        segment: u32,
        #[source]
        source: io::Error,
    },
}

/// A recovery point was not set, or a segment was not dropped. The previous point stays in force, but after a
/// crash the new one may be found.
#[derive(Debug, thiserror::Error)]
pub enum MaintainError {
    #[error("record {0} is not in the journal")]
    NoSuchRecord(Seq),
    #[error("segment {0} is not in the journal")]
    NoSuchSegment(u32),
    #[error("segment {segment} is still needed to recover: it holds records from {from} on")]
    Needed { segment: u32, from: Seq },
    #[error("could not {what} {}", path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}
