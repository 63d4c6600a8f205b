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
    /// The calls about the letters of one queue, with its name filled in.
    pub fn letters(&self, queue: impl Into<String>) -> Letters {
        Letters { client: self.clone(), queue: queue.into() }
    }
}

/// The letters of a queue, by its name. Whether there is one is found out by the calls.
#[derive(Debug, Clone)]
pub struct Letters {
    client: Client,
    queue: String,
}

impl Letters {
    pub fn queue_name(&self) -> &str {
        &self.queue
    }

    /// Keeps failures as letters: all of them, or none. One answer for each, in their order.
    pub async fn capture(&self, letters: Vec<CaptureLetter>) -> Result<Vec<CapturedLetter>, ClientError> {
        let count = letters.len();
        let request = LettersCaptureRequest { queue_name: self.queue.clone(), letters };
        let captured = self.client.capture_letters(&request).await?.letters;
        if captured.len() == count {
            return Ok(captured);
        }
        Err(self.client.reader().not_understood("it does not tell of every letter"))
    }

    /// A page of letters. The queue's name is filled in; all else is as it is asked for.
    pub async fn list(&self, request: LettersListRequest) -> Result<LettersListResponse, ClientError> {
        self.client.list_letters(&LettersListRequest { queue_name: self.queue.clone(), ..request }).await
    }

    /// One letter, without its payload, headers and key.
    pub async fn get(&self, id: impl Into<String>) -> Result<LettersGetResponse, ClientError> {
        self.look(id.into(), false).await
    }

    /// One letter with its payload: an act that is recorded. The client must say [why](Client::because).
    pub async fn reveal(&self, id: impl Into<String>) -> Result<LettersGetResponse, ClientError> {
        self.look(id.into(), true).await
    }

    async fn look(&self, id: String, reveal: bool) -> Result<LettersGetResponse, ClientError> {
        self.client.get_letter(&LettersGetRequest { queue_name: self.queue.clone(), id, reveal }).await
    }

    /// The faults of the live letters, behind a fingerprint; 0 is as many as the server gives by itself.
    pub async fn groups(&self, after: impl Into<String>, limit: i32) -> Result<LettersGroupsResponse, ClientError> {
        let request = LettersGroupsRequest { queue_name: self.queue.clone(), after: after.into(), limit };
        self.client.letter_groups(&request).await
    }

    /// The numbers of the letters, kept as they change.
    pub async fn stats(&self) -> Result<LettersStatsResponse, ClientError> {
        self.client.letter_stats(&LettersStatsRequest { queue_name: self.queue.clone() }).await
    }

    /// Says what an act on all letters that match would do. The queue's name is filled in.
    pub async fn plan(&self, request: LettersPlanRequest) -> Result<LettersPlanResponse, ClientError> {
        self.client.plan_letters(&LettersPlanRequest { queue_name: self.queue.clone(), ..request }).await
    }

    /// Does the next part of a plan; again and again, until nothing remains. The client must say [why](Client::because).
    pub async fn confirm(&self, token: impl Into<String>) -> Result<LettersConfirmResponse, ClientError> {
        let request = LettersConfirmRequest { queue_name: self.queue.clone(), token: token.into() };
        self.client.confirm_letters(&request).await
    }

    /// A page of whole letters, a line of JSON each. The queue's name is filled in; the client must say
    /// [why](Client::because).
    pub async fn export(&self, request: LettersExportRequest) -> Result<LettersExportResponse, ClientError> {
        self.client.export_letters(&LettersExportRequest { queue_name: self.queue.clone(), ..request }).await
    }

    /// Puts exported letters back, each whole or not at all. With `replace`, a newer revision takes the place of the one
    /// that is there.
    pub async fn import(&self, lines: Vec<String>, replace: bool) -> Result<LettersImportResponse, ClientError> {
        let request = LettersImportRequest { queue_name: self.queue.clone(), lines, replace };
        self.client.import_letters(&request).await
    }

    /// What would become of a failure, by the settings of this queue.
    pub async fn explain(&self, fault: Fault) -> Result<LettersExplainResponse, ClientError> {
        let queue_name = self.queue.clone();
        let request = LettersExplainRequest { queue_name, fault: Some(fault), ..LettersExplainRequest::default() };
        self.client.explain(&request).await
    }

    /// How this queue treats its letters.
    pub async fn settings(&self) -> Result<Vec<LetterSetting>, ClientError> {
        self.configure([], []).await
    }

    /// Sets what is given, lets the server's own values hold where they are wanted again, and tells what holds now.
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

    /// The templates of this queue, in the order in which they are asked; sets or removes one, where one is given. The
    /// queue's name is filled in.
    pub async fn templates(&self, request: LettersTemplatesRequest) -> Result<LettersTemplatesResponse, ClientError> {
        let request = LettersTemplatesRequest { queue_name: self.queue.clone(), ..request };
        self.client.letter_templates(&request).await
    }

    /// A page of what a template would mean for the letters that are there; the next one begins behind `next`.
    pub async fn preview(&self, request: LettersPreviewRequest) -> Result<LettersPreviewResponse, ClientError> {
        let request = LettersPreviewRequest { queue_name: self.queue.clone(), ..request };
        self.client.preview_template(&request).await
    }

    /// Tries a letter now, and waits for the outcome.
    pub async fn retry(&self, id: impl Into<String>) -> Result<LettersRetryResponse, ClientError> {
        self.try_now(id.into(), false).await
    }

    /// The same, also where the circuit breaker of its destination is open.
    pub async fn force_retry(&self, id: impl Into<String>) -> Result<LettersRetryResponse, ClientError> {
        self.try_now(id.into(), true).await
    }

    async fn try_now(&self, id: String, force: bool) -> Result<LettersRetryResponse, ClientError> {
        self.client.retry_letter(&LettersRetryRequest { queue_name: self.queue.clone(), id, force }).await
    }

    /// `start`, `stop`, `pause` or `resume` for what retries them by themselves; nothing, to look at it.
    pub async fn process(&self, action: impl Into<String>) -> Result<LettersProcessResponse, ClientError> {
        let request = LettersProcessRequest {
            queue_name: self.queue.clone(),
            action: action.into(),
            ..LettersProcessRequest::default()
        };
        self.client.process_letters(&request).await
    }

    /// Puts letters away; how many were not away before.
    pub async fn archive(&self, ids: Vec<String>) -> Result<i64, ClientError> {
        let request = LettersArchiveRequest { queue_name: self.queue.clone(), ids };
        self.client.archive_letters(&request).await.map(|answer| answer.changed)
    }

    /// Brings archived letters back; how many.
    pub async fn restore(&self, ids: Vec<String>) -> Result<i64, ClientError> {
        let request = LettersRestoreRequest { queue_name: self.queue.clone(), ids };
        self.client.restore_letters(&request).await.map(|answer| answer.changed)
    }

    /// Removes letters for good; how many there were.
    pub async fn purge(&self, ids: Vec<String>) -> Result<i64, ClientError> {
        let request = LettersPurgeRequest { queue_name: self.queue.clone(), ids };
        self.client.purge_letters(&request).await.map(|answer| answer.changed)
    }

    /// Changes a letter. The queue's name is filled in; what is left out stays as it is.
    pub async fn edit(&self, request: LettersEditRequest) -> Result<Letter, ClientError> {
        let request = LettersEditRequest { queue_name: self.queue.clone(), ..request };
        let edited = self.client.edit_letter(&request).await?.letter;
        edited.ok_or_else(|| self.client.reader().not_understood("it tells of no letter"))
    }

    /// Writes something down with a letter.
    pub async fn annotate(
        &self,
        id: impl Into<String>,
        text: impl Into<String>,
        tags: Vec<String>,
    ) -> Result<Note, ClientError> {
        let (queue_name, id, text) = (self.queue.clone(), id.into(), text.into());
        let noted = self.client.annotate_letter(&LettersAnnotateRequest { queue_name, id, text, tags }).await?.note;
        noted.ok_or_else(|| self.client.reader().not_understood("it tells of no note"))
    }
}
