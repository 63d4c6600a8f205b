//! Retry a letter now.

use redrive_proto::redrive::v1::{LettersRetryRequest, LettersRetryResponse};
use redrive_run::ManualRetry;

use super::fields::targets;
use super::process::{processor, processor_error};
use super::{hand_back, view};
use crate::api_error::ApiError;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::request_context::RequestContext;

pub(crate) struct Retry;

impl Endpoint for Retry {
    type Request = LettersRetryRequest;
    type Answer = LettersRetryResponse;

    const PATH: &'static str = "/v1/letters.retry";
    const NEEDS: Permission = Permission::LettersRetry;

    fn targets(request: &LettersRetryRequest) -> Option<Vec<AuditTarget>> {
        let mut targets = targets(&request.queue_name, std::slice::from_ref(&request.id))?;
        if request.force {
            targets.push(AuditTarget::new("force", "true"));
        }
        Some(targets)
    }

    /// `success` and `error` are always there: programs read them from every answer.
    fn json(answer: &LettersRetryResponse) -> serde_json::Result<Vec<u8>> {
        let error = answer.attempt.as_ref().and_then(|attempt| attempt.attempt.as_ref()).map(|attempt| &*attempt.error);
        let mut json = serde_json::to_value(answer)?;
        if let Some(fields) = json.as_object_mut() {
            fields.insert("success".to_owned(), answer.success.into());
            fields.insert("error".to_owned(), error.filter(|error| !error.is_empty()).into());
        }
        serde_json::to_vec(&json)
    }

    async fn call(ctx: &RequestContext, request: LettersRetryRequest) -> Result<LettersRetryResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let LettersRetryRequest { queue_name, id, force } = request;
        let letter = ctx.letter(&queue, &id).await?;
        if !ctx.app.has_target(&queue) {
            return hand_back::retry(ctx, queue, id, letter).await;
        }
        let processor = processor(ctx, &queue).await?;
        ctx.check_recordable()?;
        let retried = ctx.run_to_completion(move |ctx| async move {
            let retry = ManualRetry { letter: letter.into(), actor: &ctx.caller.user, force };
            let retried = processor.retry_until(&queue, retry, &ctx.app.closing).await.map_err(processor_error)?;
            ctx.record_act_on(&id, letter).await?;
            Ok(retried)
        });
        Ok(view::retried(&queue_name, &retried.await?))
    }
}
