//! Lists of letters on disk: those of plans, and those of skipped letters and failed retries.
//!
//! They are items of one queue of the server, a few thousand letters each, so that a list is never whole in memory. The
//! queue is in a reserved namespace and thus in no list of queues. An item that is not deleted, because the server was
//! killed between two steps, expires.

use std::sync::Arc;

use bytes::{Buf, BufMut, Bytes};
use redrive_core::{ItemId, Ksuid, LetterId, NamespaceName, QueueName, Span};
use redrive_model::{
    Content, CreateQueue, DeleteItems, GetItem, GetQueue, LetterRevision, ListQueues, NewItem, Produce, ProducedItem,
    QueueSettings, Rejection,
};
use redrive_proto::redrive::v1::{FailedRetry, SkippedLetter};
use redrive_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use super::run::ListPart;
use crate::auth::INTERNAL;

/// The queue of all lists.
const QUEUE: &str = "_redrive/letter-runs";
/// How many names are tried for it.
const NAMES_MAX: u32 = 100;
/// Longer than any run takes.
const KEPT: Span = Span::from_hours(60 * 24);
/// Letters of one item.
pub(super) const PART_LETTERS: usize = 4_096;
/// The first byte of a part: the version of its format.
const VERSION: u8 = 1;
/// A report of this size is not added to.
const REPORT_BYTES: u64 = 128 * 1024;
/// The bytes of an error that a report keeps; the letter has all of it.
const ERROR_BYTES_MAX: usize = 1_000;
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
    /// Writes letters as the next part of a list.
    pub(super) async fn append(self, letters: &[LetterRevision]) -> Result<ListPart, StoreError> {
        self.write(encode(letters)).await
    }

    /// The letters of a part; `None` if it is gone.
    pub(super) async fn part(self, part: &ListPart) -> Result<Option<Vec<LetterRevision>>, StoreError> {
        let Some(payload) = self.read(part.item).await? else { return Ok(None) };
        let letters = decode(payload);
        letters.map(Some).ok_or_else(|| StoreError::Unreadable("a list of letters has an unknown format".to_owned()))
    }

    /// Adds to the reports of a run: to the last one while it is small, so that a run that works on one letter at a time
    /// has few of them. Returns the new part and whether it replaces the last one, which then can be removed.
    pub(super) async fn append_report(
        self,
        last: Option<&ListPart>,
        report: &Report,
    ) -> Result<(ListPart, bool), StoreError> {
        let before = match last.filter(|last| last.bytes < REPORT_BYTES) {
            Some(last) => self.read(last.item).await?,
            None => None,
        };
        let is_replacing = before.is_some();
        let mut payload = before.map_or_else(|| vec![VERSION], |before| before.to_vec());
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
            error: failure.error[..failure.error.floor_char_boundary(ERROR_BYTES_MAX)].to_owned(),
            category: failure.category.clone(),
            status: failure.status.clone(),
        });
        for line in skips.chain(failures) {
            // Strings can always be encoded.
            payload.extend(serde_json::to_vec(&line).unwrap_or_default());
            payload.push(b'\n');
        }
        Ok((self.write(payload.into()).await?, is_replacing))
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
        let Some(queue) = self.find().await? else { return Ok(()) };
        let ids = parts.iter().map(|part| part.item).collect();
        match self.0.delete_items(DeleteItems { queue, partition: 0, ids }).await {
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

    async fn write(self, payload: Bytes) -> Result<ListPart, StoreError> {
        let queue = match self.find().await? {
            Some(queue) => queue,
            None => self.create().await?,
        };
        let bytes = payload.len() as u64;
        let item = NewItem { content: Arc::new(Content::of_payload(payload)), ..NewItem::default() };
        let produced = self.0.produce(Produce::new(queue, vec![item])).await?;
        let Some(ProducedItem::New(item) | ProducedItem::Duplicate(item)) = produced.items.first() else {
            return Err(StoreError::WrongAnswer);
        };
        Ok(ListPart { item: *item, bytes })
    }

    async fn read(self, id: ItemId) -> Result<Option<Bytes>, StoreError> {
        let Some(queue) = self.find().await? else { return Ok(None) };
        match self.0.item(GetItem { queue, id }).await {
            Ok(item) => Ok(Some(item.content.payload.clone())),
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_) | Rejection::NoSuchItem(_))) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The queue of the lists: the one in the reserved namespace, in which no caller creates queues. A queue of a caller may
    /// have its usual name.
    async fn find(self) -> Result<Option<QueueName>, StoreError> {
        let namespace = Some(NamespaceName::new(INTERNAL).map_err(|_| StoreError::WrongAnswer)?);
        match self.0.queue(GetQueue { name: name(0)? }).await {
            Ok(queue) if queue.namespace == namespace => return Ok(Some(queue.name)),
            // The caller may have deleted it since.
            Ok(_) | Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => {}
            Err(error) => return Err(error),
        }
        let list = ListQueues { namespace: Some(namespace), pivot: None, limit: 1 };
        Ok(self.0.queues(list).await?.pop().map(|queue| queue.name))
    }

    async fn create(self) -> Result<QueueName, StoreError> {
        for number in 0..NAMES_MAX {
            let settings = QueueSettings {
                namespace: Some(NamespaceName::new(INTERNAL).map_err(|_| StoreError::WrongAnswer)?),
                reference: "plans and runs of letters; belongs to the server".to_owned(),
                expire_timeout: KEPT,
                ..QueueSettings::new(name(number)?)
            };
            match self.0.create_queue(CreateQueue { settings }).await {
                Ok(created) => return Ok(created.name),
                // By another plan at the same time, or by a caller.
                Err(StoreError::Rejected(Rejection::QueueExists(_))) => {
                    if let Some(created) = self.find().await? {
                        return Ok(created);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Err(StoreError::Unavailable(format!("callers have created {NAMES_MAX} queues named like '{QUEUE}'")))
    }
}

/// The name of the queue, or the next one if callers have taken those before.
fn name(number: u32) -> Result<QueueName, StoreError> {
    let name = if number == 0 { QUEUE.to_owned() } else { format!("{QUEUE}-{number}") };
    QueueName::new(&name).map_err(|_| StoreError::WrongAnswer)
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
