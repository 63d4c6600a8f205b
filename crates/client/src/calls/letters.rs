//! `letters.*`: capturing, reading and managing dead letters.

use redrive_core::Span;
use redrive_proto::redrive::v1::{
    LettersAnnotateRequest, LettersAnnotateResponse, LettersArchiveRequest, LettersCaptureRequest,
    LettersCaptureResponse, LettersChangedResponse, LettersConfigureRequest, LettersConfigureResponse,
    LettersConfirmRequest, LettersConfirmResponse, LettersEditRequest, LettersEditResponse, LettersExplainRequest,
    LettersExplainResponse, LettersExportRequest, LettersExportResponse, LettersGetRequest, LettersGetResponse,
    LettersGroupsRequest, LettersGroupsResponse, LettersImportRequest, LettersImportResponse, LettersListRequest,
    LettersListResponse, LettersPlanRequest, LettersPlanResponse, LettersPreviewRequest, LettersPreviewResponse,
    LettersProcessRequest, LettersProcessResponse, LettersPurgeRequest, LettersRestoreRequest, LettersResumeRequest,
    LettersRetryRequest, LettersRetryResponse, LettersStatsRequest, LettersStatsResponse, LettersTemplatesRequest,
    LettersTemplatesResponse, Origin,
};

use crate::call::Call;
use crate::{Client, ClientError};

/// Default attempt timeout of a server. If the server allows more, the client needs a longer deadline.
const ATTEMPT: Span = Span::from_mins(5);
/// Maximum time to examine all letters of a queue.
const SCAN: Span = Span::from_mins(5);
/// Maximum time for running retries to finish when a processor stops.
const DRAIN: Span = Span::from_mins(1);

impl Client {
    /// Captures failures as letters: all of them, or none. If each names the message of its source (an origin with an
    /// offset or a message id), the call is idempotent and is repeated if its answer is lost.
    pub async fn capture_letters(
        &self,
        request: &LettersCaptureRequest,
    ) -> Result<LettersCaptureResponse, ClientError> {
        const PATH: &str = "/v1/letters.capture";
        let names_message = |origin: &Origin| origin.offset.is_some() || !origin.message_id.is_empty();
        let is_named = request.letters.iter().all(|letter| letter.origin.as_ref().is_some_and(names_message));
        let call = if is_named { Call::read(PATH) } else { Call::act(PATH) };
        self.call(call, request).await
    }

    /// Lists letters in the order of their ids, without payloads.
    pub async fn list_letters(&self, request: &LettersListRequest) -> Result<LettersListResponse, ClientError> {
        self.call(Call::read("/v1/letters.list"), request).await
    }

    /// Returns one letter. Revealing its payload requires a [reason](Self::because).
    pub async fn get_letter(&self, request: &LettersGetRequest) -> Result<LettersGetResponse, ClientError> {
        self.call(Call::read("/v1/letters.get"), request).await
    }

    /// Groups the live letters by fingerprint.
    pub async fn letter_groups(&self, request: &LettersGroupsRequest) -> Result<LettersGroupsResponse, ClientError> {
        self.call(Call::read("/v1/letters.groups"), request).await
    }

    /// Returns the statistics of a queue's letters.
    pub async fn letter_stats(&self, request: &LettersStatsRequest) -> Result<LettersStatsResponse, ClientError> {
        self.call(Call::read("/v1/letters.stats"), request).await
    }

    /// Plans an action on all matching letters. Changes nothing.
    pub async fn plan_letters(&self, request: &LettersPlanRequest) -> Result<LettersPlanResponse, ClientError> {
        self.call(Call { wait: SCAN, ..Call::read("/v1/letters.plan") }, request).await
    }

    /// Executes the next part of a plan. Requires a [reason](Self::because). If the answer was lost, a repeated call
    /// continues after the part that was executed.
    pub async fn confirm_letters(
        &self,
        request: &LettersConfirmRequest,
    ) -> Result<LettersConfirmResponse, ClientError> {
        self.call(Call { wait: ATTEMPT, ..Call::act("/v1/letters.confirm") }, request).await
    }

    /// Exports complete letters, one line of JSON each. Requires a [reason](Self::because).
    pub async fn export_letters(&self, request: &LettersExportRequest) -> Result<LettersExportResponse, ClientError> {
        self.call(Call::read("/v1/letters.export"), request).await
    }

    /// Imports exported letters. Existing letters are skipped, so the call is idempotent.
    pub async fn import_letters(&self, request: &LettersImportRequest) -> Result<LettersImportResponse, ClientError> {
        self.call(Call::read("/v1/letters.import"), request).await
    }

    /// Reports how a failure would be treated. Stores nothing.
    pub async fn explain(&self, request: &LettersExplainRequest) -> Result<LettersExplainResponse, ClientError> {
        self.call(Call::read("/v1/letters.explain"), request).await
    }

    /// Reads the letter settings of a queue, or changes them if `set` or `reset` is given.
    pub async fn configure_letters(
        &self,
        request: &LettersConfigureRequest,
    ) -> Result<LettersConfigureResponse, ClientError> {
        const PATH: &str = "/v1/letters.configure";
        let is_read = request.set.is_empty() && request.reset.is_empty();
        self.call(if is_read { Call::read(PATH) } else { Call::act(PATH) }, request).await
    }

    /// Lists the templates of a queue, and sets or removes one if `set` or `remove` is given.
    pub async fn letter_templates(
        &self,
        request: &LettersTemplatesRequest,
    ) -> Result<LettersTemplatesResponse, ClientError> {
        const PATH: &str = "/v1/letters.templates";
        let is_read = request.set.is_none() && request.remove.is_empty();
        self.call(if is_read { Call::read(PATH) } else { Call::act(PATH) }, request).await
    }

    /// Counts the existing letters that a template would match. Changes nothing.
    pub async fn preview_template(
        &self,
        request: &LettersPreviewRequest,
    ) -> Result<LettersPreviewResponse, ClientError> {
        self.call(Call { wait: SCAN, ..Call::read("/v1/letters.preview") }, request).await
    }

    /// Retries a letter now, regardless of its schedule, and waits for the outcome: up to five minutes beyond the
    /// deadline. A letter that another holder has claimed is a conflict.
    pub async fn retry_letter(&self, request: &LettersRetryRequest) -> Result<LettersRetryResponse, ClientError> {
        self.call(Call { wait: ATTEMPT, ..Call::act("/v1/letters.retry") }, request).await
    }

    /// Starts, stops, pauses or resumes the retry processor of a queue, or reports its state if `action` is empty.
    pub async fn process_letters(
        &self,
        request: &LettersProcessRequest,
    ) -> Result<LettersProcessResponse, ClientError> {
        const PATH: &str = "/v1/letters.process";
        let call = if request.action.is_empty() { Call::read(PATH) } else { Call::act(PATH) };
        self.call(Call { wait: DRAIN, ..call }, request).await
    }

    /// Archives letters, which stops their retries. If one does not exist, none is archived.
    pub async fn archive_letters(
        &self,
        request: &LettersArchiveRequest,
    ) -> Result<LettersChangedResponse, ClientError> {
        self.call(Call::act("/v1/letters.archive"), request).await
    }

    /// Returns archived letters to their previous state. Letters that are not archived are not changed.
    pub async fn restore_letters(
        &self,
        request: &LettersRestoreRequest,
    ) -> Result<LettersChangedResponse, ClientError> {
        self.call(Call::act("/v1/letters.restore"), request).await
    }

    /// Gives exhausted letters their retries back. Letters that are not exhausted are not changed.
    pub async fn resume_letters(&self, request: &LettersResumeRequest) -> Result<LettersChangedResponse, ClientError> {
        self.call(Call::act("/v1/letters.resume"), request).await
    }

    /// Changes the content or the retry settings of a letter. The original content is kept.
    pub async fn edit_letter(&self, request: &LettersEditRequest) -> Result<LettersEditResponse, ClientError> {
        self.call(Call::act("/v1/letters.edit"), request).await
    }

    /// Adds a note to a letter.
    pub async fn annotate_letter(
        &self,
        request: &LettersAnnotateRequest,
    ) -> Result<LettersAnnotateResponse, ClientError> {
        self.call(Call::act("/v1/letters.annotate"), request).await
    }

    /// Removes letters permanently; unknown ids are skipped.
    pub async fn purge_letters(&self, request: &LettersPurgeRequest) -> Result<LettersChangedResponse, ClientError> {
        self.call(Call::act("/v1/letters.purge"), request).await
    }
}
