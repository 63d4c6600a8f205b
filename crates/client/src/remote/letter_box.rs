//! A letter box whose letters are stored by a server.

use async_trait::async_trait;
use redrive_core::{CapturedBy, Classification, Policy, QueueName, Rule, Strategy};
use redrive_model::capture::FailedWork;
use redrive_proto::redrive::v1::{CaptureLetter, CapturedLetter, Fault, LettersCaptureRequest};
use redrive_run::{LetterBox, NotCaptured, Posted};
use redrive_store::StoreError;

use super::capture::{captured, letter_of};
use super::error::{RequestSubject, not_understood};
use super::item::number;
use crate::Client;

/// Sends failed work to a server, which classifies it and applies the templates and settings of the queue. Work that the
/// policy of the sender excludes is not sent.
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

/// The message for a piece of work, if the sender's policy captures it.
fn sent(work: &FailedWork, policy: &Policy) -> Result<CaptureLetter, NotCaptured> {
    let found = policy.classifier().classify(&work.failure, work.attempt);
    let category = work.category.unwrap_or(found.category);
    let found = Classification { category, ..found };
    // The server applies the strategy of the queue.
    policy
        .captures(&work.failure, &found, work.by, Strategy::Automatic)
        .map_err(|reason| NotCaptured::skipped(reason, category, policy.strategy()))?;
    if work.context.death.is_some() {
        return Err(StoreError::NotOffered("a letter of an item that died in its queue").into());
    }
    let error_type = work.failure.error.kind.as_ref().map(ToString::to_string);
    let mut context = work.context.clone();
    context.mark_enqueued(work.reported_at, work.by == CapturedBy::Explicit, error_type);
    // The server classifies the same evidence by its own rules. So a category is sent only if the caller or a rule here
    // determined it, or if the API cannot express the evidence.
    let is_named = work.category.or(found.overrides.category).is_some() || found.rule == Rule::Breaker;
    let fault =
        Fault { category: if is_named { category.to_string() } else { String::new() }, ..Fault::from(&work.failure) };
    let retry_policy = work.requested.policy.or(found.overrides.policy);
    Ok(CaptureLetter {
        fault: Some(fault),
        attempts: i32::try_from(work.attempt).unwrap_or(i32::MAX),
        retry_policy: retry_policy.map(|policy| policy.to_string()).unwrap_or_default(),
        max_retries: work.requested.max_retries.or(found.overrides.max_retries).map(number),
        priority: work.priority.map(|priority| priority.to_string()).unwrap_or_default(),
        failed_at: Some(work.failed_at.into()),
        destination: work.destination.as_deref().unwrap_or_default().to_owned(),
        ..letter_of(&work.source_id, &work.content, &context)
    })
}

fn posted(letter: CapturedLetter) -> Option<Posted> {
    let text = |text: String| (!text.is_empty()).then_some(text);
    Some(Posted {
        captured: captured(&letter)?,
        category: letter.category.parse().ok()?,
        rule: letter.rule,
        template: text(letter.template),
        broken_template: text(letter.broken_template),
        broken_rule: text(letter.broken_rule),
    })
}
