//! `letters.*`: capturing, reading and managing dead letters.

use redrive_core::Span;
use redrive_proto::redrive::v1::{
    LettersAnnotateRequest, LettersAnnotateResponse, LettersArchiveRequest, LettersCancelRequest,
    LettersCaptureRequest, LettersCaptureResponse, LettersChangedResponse, LettersConfigureRequest,
    LettersConfigureResponse, LettersConfirmRequest, LettersEditRequest, LettersEditResponse, LettersExplainRequest,
    LettersExplainResponse, LettersExportRequest, LettersExportResponse, LettersGetRequest, LettersGetResponse,
    LettersGroupsRequest, LettersGroupsResponse, LettersImportRequest, LettersImportResponse, LettersListRequest,
    LettersListResponse, LettersPlanRequest, LettersPlanResponse, LettersPreviewRequest, LettersPreviewResponse,
    LettersProcessRequest, LettersProcessResponse, LettersPurgeRequest, LettersRestoreRequest, LettersResumeRequest,
    LettersRetryRequest, LettersRetryResponse, LettersRun, LettersRunRequest, LettersRunResponse, LettersRunsRequest,
    LettersRunsResponse, LettersStatsRequest, LettersStatsResponse, LettersTemplatesRequest, LettersTemplatesResponse,
    Origin,
};

use super::table::calls;
use crate::call::Call;
use crate::{Client, ClientError};

/// Default attempt timeout of a server. If the server allows more, the client needs a longer deadline.
const ATTEMPT: Span = Span::from_mins(5);
/// Maximum time to examine all letters of a queue.
const SCAN: Span = Span::from_mins(5);
/// Maximum time that a call waits for the end of a run.
const RUN: Span = Span::from_mins(1);
/// Maximum time for running retries to finish when a processor stops.
const DRAIN: Span = Span::from_mins(1);

calls! {
    /// Lists letters in the order of their ids, without payloads.
    list_letters(LettersListRequest) -> LettersListResponse = call read "/v1/letters.list";
    /// Returns one letter. Revealing its payload requires a [reason](Self::because).
    get_letter(LettersGetRequest) -> LettersGetResponse = call read "/v1/letters.get";
    /// Groups the live letters by fingerprint.
    letter_groups(LettersGroupsRequest) -> LettersGroupsResponse = call read "/v1/letters.groups";
    /// Returns the statistics of a queue's letters.
    letter_stats(LettersStatsRequest) -> LettersStatsResponse = call read "/v1/letters.stats";
    /// Plans an action on all matching letters. Changes nothing.
    plan_letters(LettersPlanRequest) -> LettersPlanResponse = call read "/v1/letters.plan", wait SCAN;
    /// Starts the run of a plan, which the server carries out. Requires a [reason](Self::because). A run that was started
    /// before is not started again.
    confirm_letters(LettersConfirmRequest) -> LettersRun = call read "/v1/letters.confirm", wait RUN;
    /// Shows a plan or a run.
    letter_run(LettersRunRequest) -> LettersRunResponse = call read "/v1/letters.run", wait RUN;
    /// Lists the plans and runs of a queue, the newest first.
    letter_runs(LettersRunsRequest) -> LettersRunsResponse = call read "/v1/letters.runs";
    /// Cancels a plan or a run. The part that is being worked on is finished.
    cancel_letters(LettersCancelRequest) -> LettersRun = call read "/v1/letters.cancel", wait RUN;
    /// Exports complete letters, one line of JSON each. Requires a [reason](Self::because).
    export_letters(LettersExportRequest) -> LettersExportResponse = call read "/v1/letters.export";
    /// Imports exported letters. Existing letters are skipped, so the call is idempotent.
    import_letters(LettersImportRequest) -> LettersImportResponse = call read "/v1/letters.import";
    /// Reports how a failure would be treated. Stores nothing.
    explain(LettersExplainRequest) -> LettersExplainResponse = call read "/v1/letters.explain";
    /// Counts the existing letters that a template would match. Changes nothing.
    preview_template(LettersPreviewRequest) -> LettersPreviewResponse = call read "/v1/letters.preview", wait SCAN;
    /// Retries a letter now, regardless of its schedule, and waits for the outcome: up to five minutes beyond the
    /// deadline. A letter that another holder has claimed is a conflict.
    retry_letter(LettersRetryRequest) -> LettersRetryResponse = call act "/v1/letters.retry", wait ATTEMPT;
    /// Archives letters, which stops their retries. If one does not exist, none is archived.
    archive_letters(LettersArchiveRequest) -> LettersChangedResponse = call act "/v1/letters.archive";
    /// Returns archived letters to their previous state. Letters that are not archived are not changed.
    restore_letters(LettersRestoreRequest) -> LettersChangedResponse = call act "/v1/letters.restore";
    /// Gives exhausted letters their retries back. Letters that are not exhausted are not changed.
    resume_letters(LettersResumeRequest) -> LettersChangedResponse = call act "/v1/letters.resume";
    /// Changes the content or the retry settings of a letter. The original content is kept.
    edit_letter(LettersEditRequest) -> LettersEditResponse = call act "/v1/letters.edit";
    /// Adds a note to a letter.
    annotate_letter(LettersAnnotateRequest) -> LettersAnnotateResponse = call act "/v1/letters.annotate";
    /// Removes letters permanently; unknown ids are skipped.
    purge_letters(LettersPurgeRequest) -> LettersChangedResponse = call act "/v1/letters.purge";
}

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

    /// Starts, stops, pauses or resumes the retry processor of a queue, or reports its state if `action` is empty.
    pub async fn process_letters(
        &self,
        request: &LettersProcessRequest,
    ) -> Result<LettersProcessResponse, ClientError> {
        const PATH: &str = "/v1/letters.process";
        let call = if request.action.is_empty() { Call::read(PATH) } else { Call::act(PATH) };
        self.call(Call { wait: DRAIN, ..call }, request).await
    }
}
