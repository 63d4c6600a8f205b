//! `letters.*`: keeping failures, looking at them, and deciding about them.

use redrive_core::Span;
use redrive_proto::redrive::v1::{
    LettersAnnotateRequest, LettersAnnotateResponse, LettersArchiveRequest, LettersCaptureRequest,
    LettersCaptureResponse, LettersChangedResponse, LettersConfigureRequest, LettersConfigureResponse,
    LettersConfirmRequest, LettersConfirmResponse, LettersEditRequest, LettersEditResponse, LettersExplainRequest,
    LettersExplainResponse, LettersExportRequest, LettersExportResponse, LettersGetRequest, LettersGetResponse,
    LettersGroupsRequest, LettersGroupsResponse, LettersImportRequest, LettersImportResponse, LettersListRequest,
    LettersListResponse, LettersPlanRequest, LettersPlanResponse, LettersPreviewRequest, LettersPreviewResponse,
    LettersProcessRequest, LettersProcessResponse, LettersPurgeRequest, LettersRestoreRequest, LettersRetryRequest,
    LettersRetryResponse, LettersStatsRequest, LettersStatsResponse, LettersTemplatesRequest, LettersTemplatesResponse,
    Origin,
};

use crate::call::Call;
use crate::{Client, ClientError};

/// What a server allows an attempt, unless it was told otherwise. Where it allows more, the client needs a longer deadline.
const ATTEMPT: Span = Span::from_mins(5);
/// How long a look at all letters of a queue may take.
const SCAN: Span = Span::from_mins(5);
/// What a server that stops retrying leaves those that run.
const DRAIN: Span = Span::from_mins(1);

impl Client {
    /// Keeps failures as letters: all of them, or none. Where each names the message of its source (an origin with an
    /// offset or a message id), asking twice is as good as once, and a call whose answer was lost is tried again.
    pub async fn capture_letters(
        &self,
        request: &LettersCaptureRequest,
    ) -> Result<LettersCaptureResponse, ClientError> {
        const PATH: &str = "/v1/letters.capture";
        let names_message = |origin: &Origin| origin.offset.is_some() || !origin.message_id.is_empty();
        let is_named = request.letters.iter().all(|letter| letter.origin.as_ref().is_some_and(names_message));
        let call = if is_named { Call::read(PATH) } else { Call::act(PATH) };
        self.ask(call, request).await
    }

    /// Letters in the order of their ids, without their payloads.
    pub async fn list_letters(&self, request: &LettersListRequest) -> Result<LettersListResponse, ClientError> {
        self.ask(Call::read("/v1/letters.list"), request).await
    }

    /// One letter with all that is known about it. To reveal its payload needs a [reason](Self::because).
    pub async fn get_letter(&self, request: &LettersGetRequest) -> Result<LettersGetResponse, ClientError> {
        self.ask(Call::read("/v1/letters.get"), request).await
    }

    /// The faults of the live letters, by fingerprint.
    pub async fn letter_groups(&self, request: &LettersGroupsRequest) -> Result<LettersGroupsResponse, ClientError> {
        self.ask(Call::read("/v1/letters.groups"), request).await
    }

    /// The numbers of a queue's letters.
    pub async fn letter_stats(&self, request: &LettersStatsRequest) -> Result<LettersStatsResponse, ClientError> {
        self.ask(Call::read("/v1/letters.stats"), request).await
    }

    /// Says what an act on all letters that match would do. Nothing is changed.
    pub async fn plan_letters(&self, request: &LettersPlanRequest) -> Result<LettersPlanResponse, ClientError> {
        self.ask(Call { wait: SCAN, ..Call::read("/v1/letters.plan") }, request).await
    }

    /// Does the next part of what was planned. It needs a [reason](Self::because). Where the answer was lost, asking again
    /// goes on behind what was done.
    pub async fn confirm_letters(
        &self,
        request: &LettersConfirmRequest,
    ) -> Result<LettersConfirmResponse, ClientError> {
        self.ask(Call { wait: ATTEMPT, ..Call::act("/v1/letters.confirm") }, request).await
    }

    /// Whole letters, a line of JSON each. It needs a [reason](Self::because).
    pub async fn export_letters(&self, request: &LettersExportRequest) -> Result<LettersExportResponse, ClientError> {
        self.ask(Call::read("/v1/letters.export"), request).await
    }

    /// Puts exported letters back; those that are there are passed over, so that twice is as good as once.
    pub async fn import_letters(&self, request: &LettersImportRequest) -> Result<LettersImportResponse, ClientError> {
        self.ask(Call::read("/v1/letters.import"), request).await
    }

    /// What would become of a failure. Nothing is kept.
    pub async fn explain(&self, request: &LettersExplainRequest) -> Result<LettersExplainResponse, ClientError> {
        self.ask(Call::read("/v1/letters.explain"), request).await
    }

    /// How a queue treats its letters; changes it, where something is given.
    pub async fn configure_letters(
        &self,
        request: &LettersConfigureRequest,
    ) -> Result<LettersConfigureResponse, ClientError> {
        const PATH: &str = "/v1/letters.configure";
        let looks_only = request.set.is_empty() && request.reset.is_empty();
        self.ask(if looks_only { Call::read(PATH) } else { Call::act(PATH) }, request).await
    }

    /// The templates of a queue; sets or removes one, where one is given.
    pub async fn letter_templates(
        &self,
        request: &LettersTemplatesRequest,
    ) -> Result<LettersTemplatesResponse, ClientError> {
        const PATH: &str = "/v1/letters.templates";
        let looks_only = request.set.is_none() && request.remove.is_empty();
        self.ask(if looks_only { Call::read(PATH) } else { Call::act(PATH) }, request).await
    }

    /// What a template would mean for letters that are there. Nothing is changed.
    pub async fn preview_template(
        &self,
        request: &LettersPreviewRequest,
    ) -> Result<LettersPreviewResponse, ClientError> {
        self.ask(Call { wait: SCAN, ..Call::read("/v1/letters.preview") }, request).await
    }

    /// Tries a letter now, whatever its schedule says, and waits for the outcome: up to five minutes beyond the deadline.
    /// One that somebody else has is a conflict.
    pub async fn retry_letter(&self, request: &LettersRetryRequest) -> Result<LettersRetryResponse, ClientError> {
        self.ask(Call { wait: ATTEMPT, ..Call::act("/v1/letters.retry") }, request).await
    }

    /// Starts, stops, pauses or resumes what retries the letters of a queue by themselves; or only tells of it.
    pub async fn process_letters(
        &self,
        request: &LettersProcessRequest,
    ) -> Result<LettersProcessResponse, ClientError> {
        const PATH: &str = "/v1/letters.process";
        let call = if request.action.is_empty() { Call::read(PATH) } else { Call::act(PATH) };
        self.ask(Call { wait: DRAIN, ..call }, request).await
    }

    /// Puts letters away: nothing retries them. One that is not there refuses all.
    pub async fn archive_letters(
        &self,
        request: &LettersArchiveRequest,
    ) -> Result<LettersChangedResponse, ClientError> {
        self.ask(Call::act("/v1/letters.archive"), request).await
    }

    /// Brings archived letters back to what they were. Those that are not archived stay as they are.
    pub async fn restore_letters(
        &self,
        request: &LettersRestoreRequest,
    ) -> Result<LettersChangedResponse, ClientError> {
        self.ask(Call::act("/v1/letters.restore"), request).await
    }

    /// Changes the content of a letter, or how it is retried. The first content is kept.
    pub async fn edit_letter(&self, request: &LettersEditRequest) -> Result<LettersEditResponse, ClientError> {
        self.ask(Call::act("/v1/letters.edit"), request).await
    }

    /// Writes something down with a letter.
    pub async fn annotate_letter(
        &self,
        request: &LettersAnnotateRequest,
    ) -> Result<LettersAnnotateResponse, ClientError> {
        self.ask(Call::act("/v1/letters.annotate"), request).await
    }

    /// Removes letters for good; those that are not there are passed over.
    pub async fn purge_letters(&self, request: &LettersPurgeRequest) -> Result<LettersChangedResponse, ClientError> {
        self.ask(Call::act("/v1/letters.purge"), request).await
    }
}
