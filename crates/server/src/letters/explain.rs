//! Explain how a failure would be classified and retried. Nothing is stored.

use redrive_core::{BrokenRule, CaptureReason, Explanation, PolicySource, RequestedRetry, Time};
use redrive_model::capture::{CaptureRules, FailedWork};
use redrive_model::{GetQueue, LetterSettings};
use redrive_proto::redrive::v1::{ExplainedAttempt, LettersExplainRequest, LettersExplainResponse};

use super::fields::{failure, letter_error, max_retries, one_of, retry_policy};
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::wire::count;

pub(crate) struct Explain;

impl Endpoint for Explain {
    type Request = LettersExplainRequest;
    type Answer = LettersExplainResponse;

    const PATH: &'static str = "/v1/letters.explain";
    const NEEDS: Permission = Permission::LettersRead;

    async fn call(ctx: &RequestContext, request: LettersExplainRequest) -> Result<LettersExplainResponse, ApiError> {
        let fault = request.fault.unwrap_or_default();
        let mut problems = Problems::default();
        let category = problems.field("fault.category", one_of("category", &fault.category));
        let failure = problems.field("fault", failure(fault).map(Some)).unwrap_or_default();
        let requested = RequestedRetry {
            policy: problems.field("retry_policy", retry_policy(&request.retry_policy)),
            max_retries: problems.field("max_retries", max_retries(request.max_retries)),
        };
        let checked = problems.finish(());
        let settings = letter_settings(ctx, &request.queue_name).await;
        let settings = settings.map_err(|error| error.with_problems_of(&checked))?;
        checked?;
        let policy = &ctx.settings().policy;
        let rules = CaptureRules { letters: &settings, policy };
        let work = FailedWork { requested, category, ..FailedWork::new("", failure.clone(), Time::EPOCH) };
        let assessed = rules.assess(&work);
        let is_explicit = assessed.terms.source != PolicySource::Derived;
        let requested = RequestedRetry {
            policy: is_explicit.then_some(assessed.terms.policy),
            max_retries: Some(assessed.terms.max_retries),
        };
        let classify = |attempt| {
            let mut found = settings.templates.classify(policy.classifier(), &failure, attempt).found;
            found.category = category.unwrap_or(found.category);
            found
        };
        let LetterSettings { max_retries, retry_interval, .. } = settings;
        let custom = settings.custom_backoff();
        let explanation = Explanation::of(&failure, policy, classify, requested, max_retries, custom, retry_interval);
        let explanation = explanation.map_err(|invalid| ApiError::bad(invalid.to_string()))?;
        let schedule = explanation.schedule.iter().map(|retry| ExplainedAttempt {
            attempt: count(retry.number),
            delay: retry.delay.to_string(),
            after: retry.after.to_string(),
        });
        Ok(LettersExplainResponse {
            category: explanation.category.to_string(),
            rule: explanation.rule.to_string(),
            evidence: explanation.evidence.clone(),
            template: assessed.template.unwrap_or_default(),
            broken_template: assessed.broken_template.unwrap_or_default(),
            broken_rule: explanation.broken_rule.as_ref().map(BrokenRule::brief).unwrap_or_default(),
            fingerprint: explanation.fingerprint.to_string(),
            policy: explanation.terms.policy.to_string(),
            policy_source: explanation.terms.source.to_string(),
            status: explanation.begins.to_string(),
            schedule: schedule.collect(),
            ends: explanation.ends.to_string(),
            max_retries: count(explanation.terms.max_retries),
            reason: assessed.skipped.unwrap_or(CaptureReason::Enqueued).to_string(),
        })
    }
}

/// The effective letter settings of a queue; the server's defaults if the request names none.
async fn letter_settings(ctx: &RequestContext, queue: &str) -> Result<LetterSettings, ApiError> {
    let defaults = &ctx.settings().letters;
    if queue.is_empty() {
        ctx.allow(Explain::NEEDS, None).await?;
        return Ok(defaults.clone());
    }
    let queue = ctx.dead_queue(queue, Explain::NEEDS).await?;
    let letters = ctx.store().queue(GetQueue { name: queue }).await.map_err(letter_error)?.letters;
    Ok(letters.over(defaults))
}
