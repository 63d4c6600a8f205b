//! Try a letter now.

use redrive_proto::redrive::v1::{LettersRetryRequest, LettersRetryResponse};

use super::fields::{letter_id, targets};
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
        targets(&request.queue_name, std::slice::from_ref(&request.id))
    }

    async fn call(desk: &Desk, request: LettersRetryRequest) -> Result<LettersRetryResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let letter = letter_id(&request.id)?;
        let processor = processor(desk, &queue).await?;
        let retried = desk.to_its_end(move |desk| async move {
            let retried = processor.retry_until(&queue, letter.into(), &desk.caller.user, &desk.app.closing).await;
            let retried = retried.map_err(undone)?;
            desk.record_act().await?;
            Ok(retried)
        });
        let retried = retried.await?;
        let message = if retried.is_success() { "Task successfully retried" } else { "Task retry failed" };
        Ok(LettersRetryResponse {
            success: retried.is_success(),
            message: message.to_owned(),
            letter: Some(view::letter(&request.queue_name, &retried.letter.info)),
            attempt: retried.attempt.map(view::attempt),
        })
    }
}
