//! The headers with which programs write to DLQ topics.

mod connect;
mod pipeline;
mod redrive;
mod spring;
mod streams;

use redrive_core::Category;
use redrive_model::Header;

use super::dlq_record::{DialectHeaders, DlqRecord};

/// Who wrote a record to a DLQ topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// This consumer, and the design that it follows.
    Redrive,
    /// The DLQ topics of pipelines.
    Pipeline,
    /// Spring Kafka, in both spellings.
    Spring,
    /// Sink connectors of Kafka Connect.
    Connect,
    /// Kafka Streams.
    Streams,
    Unknown,
}

/// What the headers of a dialect report.
#[derive(Debug, Default)]
pub(super) struct Reported<'r> {
    pub(super) topic: Option<&'r str>,
    pub(super) partition: Option<i32>,
    pub(super) offset: Option<i64>,
    /// Milliseconds since 1970.
    pub(super) timestamp: Option<i64>,
    /// The consumer that failed.
    pub(super) group: Option<&'r str>,
    pub(super) error_type: Option<&'r str>,
    pub(super) message: Option<&'r str>,
    pub(super) stack_trace: Option<&'r str>,
    pub(super) category: Option<Category>,
    pub(super) attempts: Option<u32>,
    /// Milliseconds since 1970.
    pub(super) failed_at: Option<i64>,
    /// Identifies the failure, instead of the coordinates.
    pub(super) message_id: Option<&'r str>,
    pub(super) metadata: Vec<(&'static str, String)>,
}

impl Dialect {
    const KNOWN: [Self; 5] = [Self::Redrive, Self::Pipeline, Self::Spring, Self::Connect, Self::Streams];

    /// The dialect of the last header that belongs to one: the others were headers of the failed record.
    pub(super) fn of(headers: &[Header]) -> Self {
        let last = headers.iter().rev();
        let mut dialects =
            last.filter_map(|header| Self::KNOWN.into_iter().find(|dialect| dialect.is_marked_by(&header.name)));
        dialects.next().unwrap_or(Self::Unknown)
    }

    /// The name in the metadata of a letter.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Redrive => "redrive",
            Self::Pipeline => "pipeline",
            Self::Spring => "spring",
            Self::Connect => "connect",
            Self::Streams => "streams",
            Self::Unknown => "unknown",
        }
    }

    /// Whether a header of this name shows the dialect. The names of the original design are common words, apart from
    /// the first.
    fn is_marked_by(self, name: &str) -> bool {
        match self {
            Self::Redrive => name == redrive::FIRST,
            Self::Pipeline => name == pipeline::LETTER_ID,
            Self::Spring => spring::is_own(name),
            Self::Connect => name.starts_with(connect::PREFIX),
            Self::Streams => name.starts_with(streams::PREFIX),
            Self::Unknown => false,
        }
    }

    pub(super) fn read<'r>(self, headers: &DialectHeaders<'r>, record: &DlqRecord) -> Reported<'r> {
        match self {
            Self::Redrive => redrive::read(headers),
            Self::Pipeline => pipeline::read(headers),
            Self::Spring => spring::read(headers, record),
            Self::Connect => connect::read(headers, record),
            Self::Streams => streams::read(headers, record),
            Self::Unknown => Reported::default(),
        }
    }

    /// Whether each header was added by the dialect, and is no content of the failed record.
    pub(super) fn added(self, headers: &[Header]) -> Vec<bool> {
        let first = match self {
            // Its names are common words: only those that it added at the end are its own.
            Self::Redrive => headers.iter().rposition(|header| header.name == redrive::FIRST).unwrap_or(headers.len()),
            _ => 0,
        };
        let is_own = |name: &str| match self {
            Self::Redrive => redrive::NAMES.contains(&name),
            // The value of a pipeline's record is the letter, and its headers belong to it.
            Self::Pipeline => false,
            other => other.is_marked_by(name),
        };
        headers.iter().enumerate().map(|(index, header)| index >= first && is_own(&header.name)).collect()
    }
}

/// Entries of metadata for the headers that have a value.
fn noted<'n>(
    headers: &DialectHeaders<'_>,
    names: impl IntoIterator<Item = (&'static str, &'n str)>,
) -> Vec<(&'static str, String)> {
    let found = |(key, name)| Some((key, headers.text(&[name])?.to_owned()));
    names.into_iter().filter_map(found).collect()
}
