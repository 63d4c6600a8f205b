//! The handle of the letters of one queue.

use redrive_core::{Failure, Fingerprint, LetterId};
use redrive_model::capture::FailedWork;
use redrive_model::{FailureGroupInfo, LiveCounts};
use redrive_proto::redrive::v1::{
    LetterGroup, LetterSetting, LettersAnnotateRequest, LettersArchiveRequest, LettersCaptureRequest,
    LettersConfigureRequest, LettersExplainRequest, LettersExplainResponse, LettersGetRequest, LettersGetResponse,
    LettersGroupsRequest, LettersProcessRequest, LettersProcessResponse, LettersPurgeRequest, LettersRestoreRequest,
    LettersResumeRequest, LettersRetryRequest, LettersStatsRequest, LettersStatsResponse, Note, StatusBreakdown,
};
use redrive_run::Posted;

use super::{LetterPage, LetterQuery, RetriedLetter};
use crate::wire::{capture, number};
use crate::{Client, ClientError};

impl Client {
    /// Returns the handle of the letters of a queue.
    pub fn letters(&self, queue: impl AsRef<str>) -> Letters {
        Letters { client: self.clone(), queue: queue.as_ref().to_owned() }
    }
}

/// The letters of a queue, by its name. The existence of the queue is checked by the calls, not when the handle is
/// created.
///
/// Failures, ids, times and lists have the types of a store; reports are messages of the wire. The calls beneath are
/// methods of [`Client`]. They also do what is missing here: edit, export and import letters, change them in bulk, set
/// templates, and address a letter by its source id.
#[derive(Debug, Clone)]
pub struct Letters {
    client: Client,
    queue: String,
}

impl Letters {
    pub fn queue_name(&self) -> &str {
        &self.queue
    }

    /// Captures failures as letters: all of them, or none. Returns one result per letter, in order. The server
    /// classifies a failure without a category.
    ///
    /// A call whose answer was lost is repeated if every failure names the message of its source (an origin with an
    /// offset or a message id).
    pub async fn capture(&self, work: &[FailedWork]) -> Result<Vec<Posted>, ClientError> {
        let letters = work.iter().map(capture::capture_letter).collect::<Result<_, _>>()?;
        let request = LettersCaptureRequest { queue_name: self.queue.clone(), letters };
        let captured = self.client.capture_letters(&request).await?.letters;
        let posted = captured.into_iter().map(capture::posted).collect::<Option<Vec<_>>>();
        posted.filter(|posted| posted.len() == work.len()).ok_or_else(|| self.not_understood())
    }

    /// Returns a page of letters, in the order of their ids.
    pub async fn list(&self, query: &LetterQuery) -> Result<LetterPage, ClientError> {
        let page = self.client.list_letters(&query.request(self.queue.clone())).await?;
        LetterPage::of(page).ok_or_else(|| self.not_understood())
    }

    /// Returns one letter without payload, headers and key.
    pub async fn get(&self, id: LetterId) -> Result<LettersGetResponse, ClientError> {
        self.fetch(id, false).await
    }

    /// Returns one letter with payload, headers and key. The server records this; it requires a
    /// [reason](Client::because).
    pub async fn reveal(&self, id: LetterId) -> Result<LettersGetResponse, ClientError> {
        self.fetch(id, true).await
    }

    async fn fetch(&self, id: LetterId, reveal: bool) -> Result<LettersGetResponse, ClientError> {
        let (queue_name, id) = (self.queue.clone(), id.to_string());
        self.client.get_letter(&LettersGetRequest { queue_name, id, reveal }).await
    }

    /// Groups the live letters by fingerprint, starting after one. The last page has fewer groups than `limit`, which is
    /// 1 to 1000.
    pub async fn groups(&self, after: Option<Fingerprint>, limit: u32) -> Result<Vec<FailureGroupInfo>, ClientError> {
        let after = after.map(|after| after.to_string()).unwrap_or_default();
        let (queue_name, limit) = (self.queue.clone(), number(limit));
        let request = LettersGroupsRequest { queue_name, after, limit, ..LettersGroupsRequest::default() };
        let groups = self.client.letter_groups(&request).await?.groups;
        groups.iter().map(failure_group_info).collect::<Option<_>>().ok_or_else(|| self.not_understood())
    }

    /// Returns the statistics of the letters.
    pub async fn stats(&self) -> Result<LettersStatsResponse, ClientError> {
        self.client.letter_stats(&LettersStatsRequest { queue_name: self.queue.clone() }).await
    }

    /// Reports how this queue would treat a failure.
    pub async fn explain(&self, failure: &Failure) -> Result<LettersExplainResponse, ClientError> {
        let (queue_name, fault) = (self.queue.clone(), Some(failure.into()));
        let request = LettersExplainRequest { queue_name, fault, ..LettersExplainRequest::default() };
        self.client.explain(&request).await
    }

    /// Returns the letter settings of this queue.
    pub async fn settings(&self) -> Result<Vec<LetterSetting>, ClientError> {
        self.configure([], []).await
    }

    /// Sets and resets letter settings of this queue, and returns all effective settings.
    pub async fn configure(
        &self,
        set: impl IntoIterator<Item = (String, String)>,
        reset: impl IntoIterator<Item = String>,
    ) -> Result<Vec<LetterSetting>, ClientError> {
        let request = LettersConfigureRequest {
            queue_name: self.queue.clone(),
            set: set.into_iter().collect(),
            reset: reset.into_iter().collect(),
        };
        self.client.configure_letters(&request).await.map(|answer| answer.settings)
    }

    /// Retries a letter now, and waits for the outcome.
    pub async fn retry(&self, id: LetterId) -> Result<RetriedLetter, ClientError> {
        self.try_now(id, false).await
    }

    /// Retries a letter now even if the circuit breaker of its destination is open, and waits for the outcome.
    pub async fn force_retry(&self, id: LetterId) -> Result<RetriedLetter, ClientError> {
        self.try_now(id, true).await
    }

    async fn try_now(&self, id: LetterId, force: bool) -> Result<RetriedLetter, ClientError> {
        let request = LettersRetryRequest { queue_name: self.queue.clone(), id: id.to_string(), force };
        RetriedLetter::of(self.client.retry_letter(&request).await?).ok_or_else(|| self.not_understood())
    }

    /// Controls the retry processor of this queue: `start`, `stop`, `pause` or `resume`. An empty action only reports
    /// its state.
    pub async fn process(&self, action: impl Into<String>) -> Result<LettersProcessResponse, ClientError> {
        let request = LettersProcessRequest {
            queue_name: self.queue.clone(),
            action: action.into(),
            ..LettersProcessRequest::default()
        };
        self.client.process_letters(&request).await
    }

    /// Archives letters. Returns how many were not archived before.
    pub async fn archive(&self, ids: &[LetterId]) -> Result<u64, ClientError> {
        let (queue_name, ids) = (self.queue.clone(), texts(ids));
        let changed = self.client.archive_letters(&LettersArchiveRequest { queue_name, ids }).await?.changed;
        Ok(changed.unsigned_abs())
    }

    /// Restores archived letters. Returns how many.
    pub async fn restore(&self, ids: &[LetterId]) -> Result<u64, ClientError> {
        let (queue_name, ids) = (self.queue.clone(), texts(ids));
        let changed = self.client.restore_letters(&LettersRestoreRequest { queue_name, ids }).await?.changed;
        Ok(changed.unsigned_abs())
    }

    /// Gives exhausted letters their retries back. Returns how many were exhausted.
    pub async fn resume(&self, ids: &[LetterId]) -> Result<u64, ClientError> {
        let (queue_name, ids) = (self.queue.clone(), texts(ids));
        let changed = self.client.resume_letters(&LettersResumeRequest { queue_name, ids }).await?.changed;
        Ok(changed.unsigned_abs())
    }

    /// Removes letters permanently. Returns how many existed.
    pub async fn purge(&self, ids: &[LetterId]) -> Result<u64, ClientError> {
        let (queue_name, ids) = (self.queue.clone(), texts(ids));
        let changed = self.client.purge_letters(&LettersPurgeRequest { queue_name, ids }).await?.changed;
        Ok(changed.unsigned_abs())
    }

    /// Adds a note to a letter.
    pub async fn annotate(
        &self,
        id: LetterId,
        text: impl Into<String>,
        tags: Vec<String>,
    ) -> Result<Note, ClientError> {
        let (queue_name, id, text) = (self.queue.clone(), id.to_string(), text.into());
        let noted = self.client.annotate_letter(&LettersAnnotateRequest { queue_name, id, text, tags }).await?.note;
        noted.ok_or_else(|| self.not_understood())
    }

    fn not_understood(&self) -> ClientError {
        self.client.reader().not_understood("it does not have a valid result for every letter")
    }
}

fn texts(ids: &[LetterId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

fn failure_group_info(group: &LetterGroup) -> Option<FailureGroupInfo> {
    let StatusBreakdown { pending, retrying, exhausted, .. } = group.status_breakdown?;
    let count = |count: i64| u32::try_from(count).ok();
    let sample = group.sample.as_ref().map(|sample| sample.id.parse());
    Some(FailureGroupInfo {
        fingerprint: group.fingerprint.parse().ok()?,
        counts: LiveCounts { pending: count(pending)?, retrying: count(retrying)?, exhausted: count(exhausted)? },
        first_seen: group.first_seen?.time()?,
        last_seen: group.last_seen?.time()?,
        sample: sample.transpose().ok()?,
    })
}
