//! The calls about the letters of one queue.

use redrive_proto::redrive::v1::{
    CaptureLetter, CapturedLetter, Fault, Letter, LetterSetting, LettersAnnotateRequest, LettersArchiveRequest,
    LettersCaptureRequest, LettersConfigureRequest, LettersConfirmRequest, LettersConfirmResponse, LettersEditRequest,
    LettersExplainRequest, LettersExplainResponse, LettersExportRequest, LettersExportResponse, LettersGetRequest,
    LettersGetResponse, LettersGroupsRequest, LettersGroupsResponse, LettersImportRequest, LettersImportResponse,
    LettersListRequest, LettersListResponse, LettersPlanRequest, LettersPlanResponse, LettersPreviewRequest,
    LettersPreviewResponse, LettersProcessRequest, LettersProcessResponse, LettersPurgeRequest, LettersRestoreRequest,
    LettersRetryRequest, LettersRetryResponse, LettersStatsRequest, LettersStatsResponse, LettersTemplatesRequest,
    LettersTemplatesResponse, Note,
};

use crate::{Client, ClientError};

impl Client {
    /// Returns the calls about the letters of one queue.
    pub fn letters(&self, queue: impl Into<String>) -> Letters {
        Letters { client: self.clone(), queue: queue.into() }
    }
}

/// The letters of a queue, by its name. Requests with a `queue_name` field get this name. The existence of the queue is
/// checked by the calls, not when this is created.
#[derive(Debug, Clone)]
pub struct Letters {
    client: Client,
    queue: String,
}

impl Letters {
    pub fn queue_name(&self) -> &str {
        &self.queue
    }

    /// Captures failures as letters: all of them, or none. Returns one result per letter, in order.
    pub async fn capture(&self, letters: Vec<CaptureLetter>) -> Result<Vec<CapturedLetter>, ClientError> {
        let count = letters.len();
        let request = LettersCaptureRequest { queue_name: self.queue.clone(), letters };
        let captured = self.client.capture_letters(&request).await?.letters;
        if captured.len() == count {
            return Ok(captured);
        }
        Err(self.client.reader().not_understood("it does not have a result for every letter"))
    }

    /// Returns a page of letters.
    pub async fn list(&self, request: LettersListRequest) -> Result<LettersListResponse, ClientError> {
        self.client.list_letters(&LettersListRequest { queue_name: self.queue.clone(), ..request }).await
    }

    /// Returns one letter without payload, headers and key.
    pub async fn get(&self, id: impl Into<String>) -> Result<LettersGetResponse, ClientError> {
        self.fetch(id.into(), false).await
    }

    /// Returns one letter with payload, headers and key. The server records this; it requires a
    /// [reason](Client::because).
    pub async fn reveal(&self, id: impl Into<String>) -> Result<LettersGetResponse, ClientError> {
        self.fetch(id.into(), true).await
    }

    async fn fetch(&self, id: String, reveal: bool) -> Result<LettersGetResponse, ClientError> {
        self.client.get_letter(&LettersGetRequest { queue_name: self.queue.clone(), id, reveal }).await
    }

    /// Groups the live letters by fingerprint, starting after one. A limit of 0 is the server's default.
    pub async fn groups(&self, after: impl Into<String>, limit: i32) -> Result<LettersGroupsResponse, ClientError> {
        let request = LettersGroupsRequest { queue_name: self.queue.clone(), after: after.into(), limit };
        self.client.letter_groups(&request).await
    }

    /// Returns the statistics of the letters.
    pub async fn stats(&self) -> Result<LettersStatsResponse, ClientError> {
        self.client.letter_stats(&LettersStatsRequest { queue_name: self.queue.clone() }).await
    }

    /// Plans an action on all matching letters. Changes nothing.
    pub async fn plan(&self, request: LettersPlanRequest) -> Result<LettersPlanResponse, ClientError> {
        self.client.plan_letters(&LettersPlanRequest { queue_name: self.queue.clone(), ..request }).await
    }

    /// Executes the next part of a plan; call it until nothing remains. Requires a [reason](Client::because).
    pub async fn confirm(&self, token: impl Into<String>) -> Result<LettersConfirmResponse, ClientError> {
        let request = LettersConfirmRequest { queue_name: self.queue.clone(), token: token.into() };
        self.client.confirm_letters(&request).await
    }

    /// Exports a page of complete letters, one line of JSON each. Requires a [reason](Client::because).
    pub async fn export(&self, request: LettersExportRequest) -> Result<LettersExportResponse, ClientError> {
        self.client.export_letters(&LettersExportRequest { queue_name: self.queue.clone(), ..request }).await
    }

    /// Imports exported letters, each completely or not at all. With `replace`, a newer revision replaces the existing
    /// one.
    pub async fn import(&self, lines: Vec<String>, replace: bool) -> Result<LettersImportResponse, ClientError> {
        let request = LettersImportRequest { queue_name: self.queue.clone(), lines, replace };
        self.client.import_letters(&request).await
    }

    /// Reports how this queue would treat a failure.
    pub async fn explain(&self, fault: Fault) -> Result<LettersExplainResponse, ClientError> {
        let queue_name = self.queue.clone();
        let request = LettersExplainRequest { queue_name, fault: Some(fault), ..LettersExplainRequest::default() };
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

    /// Lists the templates of this queue in the order of evaluation, and sets or removes one if `set` or `remove` is
    /// given.
    pub async fn templates(&self, request: LettersTemplatesRequest) -> Result<LettersTemplatesResponse, ClientError> {
        let request = LettersTemplatesRequest { queue_name: self.queue.clone(), ..request };
        self.client.letter_templates(&request).await
    }

    /// Counts the letters of a page that a template would match; `next` starts the next page.
    pub async fn preview(&self, request: LettersPreviewRequest) -> Result<LettersPreviewResponse, ClientError> {
        let request = LettersPreviewRequest { queue_name: self.queue.clone(), ..request };
        self.client.preview_template(&request).await
    }

    /// Retries a letter now, and waits for the outcome.
    pub async fn retry(&self, id: impl Into<String>) -> Result<LettersRetryResponse, ClientError> {
        self.try_now(id.into(), false).await
    }

    /// Retries a letter now even if the circuit breaker of its destination is open, and waits for the outcome.
    pub async fn force_retry(&self, id: impl Into<String>) -> Result<LettersRetryResponse, ClientError> {
        self.try_now(id.into(), true).await
    }

    async fn try_now(&self, id: String, force: bool) -> Result<LettersRetryResponse, ClientError> {
        self.client.retry_letter(&LettersRetryRequest { queue_name: self.queue.clone(), id, force }).await
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
    pub async fn archive(&self, ids: Vec<String>) -> Result<i64, ClientError> {
        let request = LettersArchiveRequest { queue_name: self.queue.clone(), ids };
        self.client.archive_letters(&request).await.map(|answer| answer.changed)
    }

    /// Restores archived letters. Returns how many.
    pub async fn restore(&self, ids: Vec<String>) -> Result<i64, ClientError> {
        let request = LettersRestoreRequest { queue_name: self.queue.clone(), ids };
        self.client.restore_letters(&request).await.map(|answer| answer.changed)
    }

    /// Removes letters permanently. Returns how many existed.
    pub async fn purge(&self, ids: Vec<String>) -> Result<i64, ClientError> {
        let request = LettersPurgeRequest { queue_name: self.queue.clone(), ids };
        self.client.purge_letters(&request).await.map(|answer| answer.changed)
    }

    /// Changes a letter. Unset fields are not changed.
    pub async fn edit(&self, request: LettersEditRequest) -> Result<Letter, ClientError> {
        let request = LettersEditRequest { queue_name: self.queue.clone(), ..request };
        let edited = self.client.edit_letter(&request).await?.letter;
        edited.ok_or_else(|| self.client.reader().not_understood("it contains no letter"))
    }

    /// Adds a note to a letter.
    pub async fn annotate(
        &self,
        id: impl Into<String>,
        text: impl Into<String>,
        tags: Vec<String>,
    ) -> Result<Note, ClientError> {
        let (queue_name, id, text) = (self.queue.clone(), id.into(), text.into());
        let noted = self.client.annotate_letter(&LettersAnnotateRequest { queue_name, id, text, tags }).await?.note;
        noted.ok_or_else(|| self.client.reader().not_understood("it contains no note"))
    }
}
