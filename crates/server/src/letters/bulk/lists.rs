//! Lists of letters on disk: those of plans, and those of skipped letters and failed retries.
//!
//! They are items of one queue of the server, a few thousand letters each, so that a list is never whole in memory. The
//! queue is in a reserved namespace and thus in no list of queues. An item that is not deleted, because the server was
//! killed between two steps, expires.

use std::sync::Arc;

use bytes::{Buf, BufMut, Bytes};
use redrive_core::{ItemId, Ksuid, LetterId, NamespaceName, QueueName, Span};
use redrive_model::{
    Content, CreateQueue, DeleteItems, GetItem, GetQueue, LetterRevision, NewItem, Produce, ProducedItem,
    QueueSettings, Rejection,
};
use redrive_proto::redrive::v1::{FailedRetry, SkippedLetter};
use redrive_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use super::run::ListPart;
use crate::auth::INTERNAL;

/// The queue of all lists.
const QUEUE: &str = "_redrive/letter-runs";
/// Longer than any run takes.
const KEPT: Span = Span::from_hours(60 * 24);
/// Letters of one item.
pub(super) const PART_LETTERS: usize = 4_096;
/// The first byte of a part: the version of its format.
const VERSION: u8 = 1;
const LETTER_BYTES: usize = Ksuid::BYTES + size_of::<u64>();

/// The lists in a store.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lists<'s>(pub(super) &'s dyn Store);

/// What an act reports about single letters.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) skips: Vec<SkippedLetter>,
    pub(super) failures: Vec<FailedRetry>,
}

#[derive(Serialize, Deserialize)]
struct ReportLine {
    id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    skipped: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    error: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    category: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    status: String,
}

impl Report {
    pub(super) fn len(&self) -> usize {
        self.skips.len() + self.failures.len()
    }
}

impl Lists<'_> {
    /// Writes letters as the next part of a list. Returns it with its size.
    pub(super) async fn append(self, letters: &[LetterRevision]) -> Result<(ListPart, usize), StoreError> {
        let payload = encode(letters);
        let bytes = payload.len();
        Ok((self.write(payload, letters.len()).await?, bytes))
    }

    /// The letters of a part; `None` if it is gone.
    pub(super) async fn part(self, part: &ListPart) -> Result<Option<Vec<LetterRevision>>, StoreError> {
        let Some(payload) = self.read(part.item).await? else { return Ok(None) };
        let letters = decode(payload);
        letters.map(Some).ok_or_else(|| StoreError::Unreadable("a list of letters has an unknown format".to_owned()))
    }

    pub(super) async fn append_report(self, report: &Report) -> Result<ListPart, StoreError> {
        let skips = report.skips.iter().map(|skip| ReportLine {
            id: skip.id.clone(),
            skipped: skip.reason.clone(),
            error: String::new(),
            category: String::new(),
            status: String::new(),
        });
        let failures = report.failures.iter().map(|failure| ReportLine {
            id: failure.id.clone(),
            skipped: String::new(),
            error: failure.error.clone(),
            category: failure.category.clone(),
            status: failure.status.clone(),
        });
        let mut payload = vec![VERSION];
        for line in skips.chain(failures) {
            // Strings can always be encoded.
            payload.extend(serde_json::to_vec(&line).unwrap_or_default());
            payload.push(b'\n');
        }
        self.write(payload.into(), report.len()).await
    }

    pub(super) async fn report(self, part: &ListPart) -> Result<Report, StoreError> {
        let unreadable = || StoreError::Unreadable("the report of a run has an unknown format".to_owned());
        let mut report = Report::default();
        let Some(mut payload) = self.read(part.item).await? else { return Ok(report) };
        if !payload.has_remaining() || payload.get_u8() != VERSION {
            return Err(unreadable());
        }
        for line in payload.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let line: ReportLine = serde_json::from_slice(line).map_err(|_| unreadable())?;
            let ReportLine { id, skipped, error, category, status } = line;
            if skipped.is_empty() {
                report.failures.push(FailedRetry { id, error, category, status });
            } else {
                report.skips.push(SkippedLetter { id, reason: skipped });
            }
        }
        Ok(report)
    }

    pub(super) async fn remove(self, parts: &[ListPart]) -> Result<(), StoreError> {
        if parts.is_empty() {
            return Ok(());
        }
        let ids = parts.iter().map(|part| part.item).collect();
        match self.0.delete_items(DeleteItems { queue: queue()?, partition: 0, ids }).await {
            Ok(_) | Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Like [`remove`](Self::remove), if it need not succeed: items that are left expire.
    pub(super) async fn discard(self, parts: &[ListPart]) {
        if let Err(error) = self.remove(parts).await {
            tracing::warn!(%error, "removing lists of letters failed");
        }
    }

    async fn write(self, payload: Bytes, letters: usize) -> Result<ListPart, StoreError> {
        let item = || NewItem { content: Arc::new(Content::of_payload(payload.clone())), ..NewItem::default() };
        let produce = || Ok::<_, StoreError>(self.0.produce(Produce::new(queue()?, vec![item()])));
        let produced = match produce()?.await {
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => {
                self.create().await?;
                produce()?.await?
            }
            produced => produced?,
        };
        let Some(ProducedItem::New(item) | ProducedItem::Duplicate(item)) = produced.items.first() else {
            return Err(StoreError::WrongAnswer);
        };
        Ok(ListPart { item: *item, letters: u32::try_from(letters).unwrap_or(u32::MAX) })
    }

    async fn read(self, id: ItemId) -> Result<Option<Bytes>, StoreError> {
        match self.0.item(GetItem { queue: queue()?, id }).await {
            Ok(item) => Ok(Some(item.content.payload.clone())),
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_) | Rejection::NoSuchItem(_))) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn create(self) -> Result<(), StoreError> {
        let settings = QueueSettings {
            namespace: Some(NamespaceName::new(INTERNAL).map_err(|_| StoreError::WrongAnswer)?),
            reference: "plans and runs of letters; belongs to the server".to_owned(),
            expire_timeout: KEPT,
            ..QueueSettings::new(queue()?)
        };
        match self.0.create_queue(CreateQueue { settings }).await {
            Ok(_) => Ok(()),
            // Another plan created it first.
            Err(error) => self.0.queue(GetQueue { name: queue()? }).await.map(drop).map_err(|_| error),
        }
    }
}

fn queue() -> Result<QueueName, StoreError> {
    QueueName::new(QUEUE).map_err(|_| StoreError::WrongAnswer)
}

fn encode(letters: &[LetterRevision]) -> Bytes {
    let mut bytes = Vec::with_capacity(1 + letters.len() * LETTER_BYTES);
    bytes.put_u8(VERSION);
    for letter in letters {
        bytes.put_slice(letter.id.ksuid().as_bytes());
        bytes.put_u64(letter.revision);
    }
    bytes.into()
}

fn decode(mut bytes: Bytes) -> Option<Vec<LetterRevision>> {
    if !bytes.has_remaining() || bytes.get_u8() != VERSION || !bytes.len().is_multiple_of(LETTER_BYTES) {
        return None;
    }
    let mut letters = Vec::with_capacity(bytes.len() / LETTER_BYTES);
    while bytes.has_remaining() {
        let mut id = [0; Ksuid::BYTES];
        bytes.copy_to_slice(&mut id);
        letters.push(LetterRevision { id: LetterId::new(Ksuid::from_bytes(id)), revision: bytes.get_u64() });
    }
    Some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_as_they_were_written_and_other_bytes_are_rejected() {
        let letter = |number: u8| LetterRevision {
            id: LetterId::new(Ksuid::from_bytes([number; Ksuid::BYTES])),
            revision: u64::from(number) << 40,
        };
        let letters: Vec<_> = (0..=255).map(letter).collect();
        assert_eq!(decode(encode(&letters)).unwrap(), letters);
        assert_eq!(decode(encode(&[])).unwrap(), []);
        let whole = encode(&letters);
        assert_eq!(decode(whole.slice(..whole.len() - 1)), None);
        assert_eq!(decode(Bytes::new()), None);
        assert_eq!(decode(Bytes::from_static(&[2])), None);
    }
}
