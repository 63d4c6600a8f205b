//! Try a letter now.

use redrive_proto::redrive::v1::{LettersRetryRequest, LettersRetryResponse};
use redrive_run::ManualRetry;

use super::fields::targets;
use super::process::{processor, undone};
use super::view;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;

#[derive(Debug)]
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

    async fn call(desk: &Desk, request: LettersRetryRequest) -> Result<LettersRetryResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let LettersRetryRequest { queue_name, id, force } = request;
        let letter = desk.letter(&queue, &id).await?;
        let processor = processor(desk, &queue).await?;
        let retried = desk.to_its_end(move |desk| async move {
            let retry = ManualRetry { letter: letter.into(), actor: &desk.caller.user, force };
            let retried = processor.retry_until(&queue, retry, &desk.app.closing).await.map_err(undone)?;
            desk.record_act_on(&id, letter).await?;
            Ok(retried)
        });
        let retried = retried.await?;
        let message = if retried.is_success() { "Task successfully retried" } else { "Task retry failed" };
        Ok(LettersRetryResponse {
            success: retried.is_success(),
            message: message.to_owned(),
            letter: Some(view::letter(&queue_name, &retried.letter.info)),
            attempt: retried.attempt.map(view::attempt),
        })
    }
}
