//! Failed work becomes letters of a server.

use async_trait::async_trait;
use redrive_core::{CapturedBy, Classification, Evidence, Failure, Policy, QueueName, Rule, Strategy};
use redrive_model::capture::FailedWork;
use redrive_proto::redrive::v1::{CaptureLetter, CapturedLetter, Fault, LettersCaptureRequest};
use redrive_run::{LetterBox, NotCaptured, Posted};
use redrive_store::StoreError;

use super::capture::{captured, letter_of};
use super::error::{RequestSubject, not_understood};
use super::item::number;
use crate::Client;

/// Sends failed work to a server, which classifies it, compares it with the templates of the queue and applies the queue's
/// settings. What the policy of the sender excludes is not sent.
#[derive(Debug, Clone)]
pub struct RemoteLetterBox {
    client: Client,
}

impl RemoteLetterBox {
    pub const fn new(client: Client) -> Self {
        Self { client }
    }
}

#[async_trait]
impl LetterBox for RemoteLetterBox {
    async fn post_all(
        &self,
        queue: &QueueName,
        policy: &Policy,
        work: &[FailedWork],
    ) -> Result<Vec<Posted>, NotCaptured> {
        let letters = work.iter().map(|work| sent(work, policy)).collect::<Result<Vec<_>, _>>()?;
        let request = LettersCaptureRequest { queue_name: queue.to_string(), letters };
        let answer = self.client.capture_letters(&request).await;
        let answer = answer.map_err(|error| RequestSubject::of(queue).error(error))?;
        let posted = answer.letters.into_iter().map(posted).collect::<Option<Vec<_>>>();
        posted.filter(|posted| posted.len() == work.len()).ok_or_else(|| not_understood().into())
    }

    fn is_durable(&self) -> bool {
        true
    }
}

/// Work as the wire tells it, where the sender's own policy wants it captured.
fn sent(work: &FailedWork, policy: &Policy) -> Result<CaptureLetter, NotCaptured> {
    let found = policy.classifier().classify(&work.failure, work.attempt);
    let category = work.category.unwrap_or(found.category);
    let found = Classification { category, ..found };
    // The queue's own strategy is the server's business.
    policy
        .captures(&work.failure, &found, work.by, Strategy::Automatic)
        .map_err(|reason| NotCaptured::skipped(reason, category, policy.strategy()))?;
    if work.context.death.is_some() {
        return Err(StoreError::NotOffered("a letter of an item that died in its queue").into());
    }
    let error_type = work.failure.error.kind.as_ref().map(ToString::to_string);
    let mut context = work.context.clone();
    context.mark_enqueued(work.reported_at, work.by == CapturedBy::Explicit, error_type);
    // A category keeps the default of the queue away: of what is handed over, only one that somebody has named is sent.
    let is_named = work.by == CapturedBy::Automatic || work.category.is_some() || matches!(found.rule, Rule::User(_));
    let fault = Fault { category: if is_named { category.to_string() } else { String::new() }, ..fault(&work.failure) };
    let retry_policy = work.requested.policy.or(found.overrides.policy);
    Ok(CaptureLetter {
        fault: Some(fault),
        attempts: i32::try_from(work.attempt).unwrap_or(i32::MAX),
        retry_policy: retry_policy.map(|policy| policy.to_string()).unwrap_or_default(),
        max_retries: work.requested.max_retries.or(found.overrides.max_retries).map(number),
        priority: work.priority.to_string(),
        failed_at: Some(work.failed_at.into()),
        destination: work.destination.as_deref().unwrap_or_default().to_owned(),
        ..letter_of(&work.source_id, &work.content, &context)
    })
}

fn fault(failure: &Failure) -> Fault {
    let (mut http_status, mut grpc_status, mut sqlstate) = (None, None, String::new());
    match &failure.error.evidence {
        Some(Evidence::Http { status, .. }) => http_status = Some(i32::from(*status)),
        Some(Evidence::Grpc(code)) => grpc_status = Some(*code as i32),
        Some(Evidence::Sql(state)) => sqlstate = state.to_string(),
        Some(Evidence::Refused { .. } | Evidence::Io(_)) | None => {}
    }
    Fault {
        error: failure.error.message.clone(),
        error_type: failure.error.kind.as_ref().map(ToString::to_string).unwrap_or_default(),
        http_status,
        grpc_status,
        sqlstate,
        category: String::new(),
    }
}

fn posted(letter: CapturedLetter) -> Option<Posted> {
    let text = |text: String| (!text.is_empty()).then_some(text);
    Some(Posted {
        captured: captured(&letter)?,
        category: letter.category.parse().ok()?,
        rule: letter.rule,
        template: text(letter.template),
        broken_template: text(letter.broken_template),
    })
}
