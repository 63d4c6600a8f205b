//! Give exhausted letters their retries back.

use std::sync::Arc;

use redrive_model::BulkResult;
use redrive_proto::redrive::v1::{LettersChangedResponse, LettersResumeRequest};

use super::archive::change;
use super::fields::targets;
use super::process::processor;
use crate::api_error::ApiError;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::wire::big_count;

pub(crate) struct Resume;

impl Endpoint for Resume {
    type Request = LettersResumeRequest;
    type Answer = LettersChangedResponse;

    const PATH: &'static str = "/v1/letters.resume";
    const NEEDS: Permission = Permission::LettersRetry;

    fn targets(request: &LettersResumeRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &request.ids)
    }

    async fn call(ctx: &RequestContext, request: LettersResumeRequest) -> Result<LettersChangedResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let letters = ctx.letters(&queue, &request.ids).await?;
        // Without a target, nothing would retry them, and no lease offers a letter with a scheduled retry.
        processor(ctx, &queue).await?;
        let op = redrive_model::Resume {
            queue,
            letters: letters.iter().copied().map(Into::into).collect(),
            actor: Some(Arc::from(&*ctx.caller.user)),
        };
        let results = change(ctx, &request.ids, &letters, op).await?;
        let resumed = results.into_iter().filter(|result| *result == BulkResult::Done).count();
        Ok(LettersChangedResponse { changed: big_count(resumed) })
    }
}
