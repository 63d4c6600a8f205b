//! Change the content of a letter, or how it is retried.

use std::sync::Arc;

use redrive_core::LetterId;
use redrive_model::{Content, FullLetter, GetLetter};
use redrive_proto::redrive::v1::{LettersEditRequest, LettersEditResponse};

use super::address::by_id;
use super::archive::act_error;
use super::fields::{letter_error, max_retries, one_of, retry_policy, targets};
use super::view;
use crate::api_error::{ApiError, Code};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::wire::big_count;

pub(crate) struct Edit;

impl Endpoint for Edit {
    type Request = LettersEditRequest;
    type Answer = LettersEditResponse;

    const PATH: &'static str = "/v1/letters.edit";
    const NEEDS: Permission = Permission::LettersEdit;
    const BODY_MAX: BodyLimit = BodyLimit::Produce;

    fn targets(request: &LettersEditRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, std::slice::from_ref(&request.id))
    }

    async fn call(ctx: &RequestContext, request: LettersEditRequest) -> Result<LettersEditResponse, ApiError> {
        let mut problems = Problems::default();
        let policy = problems.field("retry_policy", retry_policy(&request.retry_policy));
        let max_retries = problems.field("max_retries", max_retries(request.max_retries));
        let priority = problems.field("priority", one_of("priority", &request.priority));
        let checked = problems.finish((policy, max_retries, priority));
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        let (policy, max_retries, priority) = checked?;
        let edits_content = request.payload.is_some() || request.headers.is_some();
        if !edits_content && policy.is_none() && max_retries.is_none() && priority.is_none() {
            return Err(ApiError::bad("edit is invalid; the request changes nothing"));
        }
        let letter = ctx.letter(&queue, &request.id).await?;
        let (request, queue) = (&request, &queue);
        // Checked and changed under the audit lock, so that the checked revision is the one that is changed.
        let change = ctx.change(|| async move {
            let get = GetLetter { queue: queue.clone(), letter };
            let record = ctx.store().letter(get).await.map_err(letter_error)?;
            check_revision(request.revision, letter, &record)?;
            let content = edits_content.then(|| Arc::new(edited(request, &record.content)));
            let hash = |content: &Content| ContentSummary::of(content);
            let before = hash(&record.content);
            let after = content.as_deref().map_or_else(|| hash(&record.content), hash);
            let edit = redrive_model::Edit { queue: queue.clone(), letter, content, policy, max_retries, priority };
            let requested = (&request.retry_policy, request.max_retries, &request.priority);
            let change = Change::of(edit).before(&before).after(&(after, requested));
            Ok((by_id(change, &request.id, letter), ()))
        });
        let (info, ()) = change.await.map_err(act_error)?;
        let info = view::planned(info, ctx.app.has_target(queue));
        Ok(LettersEditResponse { letter: Some(view::letter(&request.queue_name, &info)) })
    }
}

/// What of a content goes into the hashes of an audit record.
#[derive(serde::Serialize)]
struct ContentSummary {
    payload: [u8; 16],
    headers: usize,
}

impl ContentSummary {
    fn of(content: &Content) -> Self {
        Self { payload: content.digest(), headers: content.headers.len() }
    }
}

fn check_revision(expected: i64, letter: LetterId, record: &FullLetter) -> Result<(), ApiError> {
    let current = record.info.letter.as_ref().map_or(0, |letter| big_count(letter.revision));
    if expected == 0 || expected == current {
        return Ok(());
    }
    let message = format!("letter was changed; it has revision {current}, and the request expects {expected}");
    let changed = ApiError::new(Code::Conflict, message).because("letter_changed").grouped("stale_revision");
    Err(changed.with("letter", letter).with("revision", current))
}

fn edited(request: &LettersEditRequest, before: &Content) -> Content {
    let mut content = before.clone();
    if let Some(payload) = &request.payload {
        content.payload = payload.clone();
    }
    if let Some(sent) = &request.headers {
        content.headers = sent.headers.iter().cloned().map(Into::into).collect();
    }
    content
}
