//! What would become of a failure.

use redrive_core::{CaptureReason, Explanation, PolicySource, RequestedRetry, Time};
use redrive_model::capture::{CaptureRules, FailedWork};
use redrive_model::{GetQueue, LetterSettings, Templates};
use redrive_proto::redrive::v1::{ExplainedAttempt, LettersExplainRequest, LettersExplainResponse};

use super::fields::{failure, max_retries, refused, retry_policy};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::wire::count;

#[derive(Debug)]
pub(crate) struct Explain;

impl Endpoint for Explain {
    type Request = LettersExplainRequest;
    type Answer = LettersExplainResponse;

    const PATH: &'static str = "/v1/letters.explain";
    const NEEDS: Permission = Permission::LettersRead;

    async fn call(desk: &Desk, request: LettersExplainRequest) -> Result<LettersExplainResponse, Fault> {
        let (treatment, templates) = treatment(desk, &request.queue_name).await?;
        let failure = failure(&request.fault.unwrap_or_default())?;
        let requested = RequestedRetry {
            policy: retry_policy(&request.retry_policy)?,
            max_retries: max_retries(request.max_retries)?,
        };
        let policy = &desk.app.capture_policy;
        let rules = CaptureRules { letters: &treatment, templates: &templates, policy };
        let work = FailedWork { requested, ..FailedWork::new("", failure.clone(), Time::EPOCH) };
        let assessed = rules.assess(&work);
        let is_named = assessed.terms.source != PolicySource::Derived;
        let wanted = RequestedRetry {
            policy: is_named.then_some(assessed.terms.policy),
            max_retries: Some(assessed.terms.max_retries),
        };
        let LetterSettings { max_retries, retry_interval, .. } = treatment;
        let told = Explanation::of(&failure, policy, wanted, max_retries, treatment.custom_backoff(), retry_interval);
        let told = told.map_err(|invalid| Fault::bad(invalid.to_string()).because("invalid"))?;
        let schedule = told.schedule.iter().map(|retry| ExplainedAttempt {
            attempt: count(retry.number),
            delay: retry.delay.to_string(),
            after: retry.after.to_string(),
        });
        Ok(LettersExplainResponse {
            category: told.category.to_string(),
            rule: told.rule.to_string(),
            evidence: told.evidence.clone(),
            template: assessed.template.unwrap_or_default(),
            broken_template: assessed.broken_template.unwrap_or_default(),
            fingerprint: told.fingerprint.to_string(),
            policy: told.terms.policy.to_string(),
            policy_source: told.terms.source.to_string(),
            status: told.begins.to_string(),
            schedule: schedule.collect(),
            ends: told.ends.to_string(),
            max_retries: count(told.terms.max_retries),
            reason: assessed.skipped.unwrap_or(CaptureReason::Enqueued).to_string(),
        })
    }
}

/// How letters of a queue are treated, and its templates; as the server does by itself, where none is named.
async fn treatment(desk: &Desk, queue: &str) -> Result<(LetterSettings, Templates), Fault> {
    let store = &desk.settings().letters;
    if queue.is_empty() {
        desk.allow(Explain::NEEDS, None).await?;
        return Ok((store.clone(), Templates::default()));
    }
    let queue = desk.dead_queue(queue, Explain::NEEDS).await?;
    let letters = desk.store().queue(GetQueue { name: queue }).await.map_err(refused)?.letters;
    Ok((letters.over(store), letters.templates))
}
