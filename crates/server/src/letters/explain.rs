//! What would become of a failure.

use redrive_core::{Explanation, Policy, Terms, WantedTerms};
use redrive_proto::redrive::v1::{ExplainedAttempt, LettersExplainRequest, LettersExplainResponse};

use super::fields::{failure, max_retries, retry_policy};
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

    async fn call(desk: &Desk, request: LettersExplainRequest) -> Result<LettersExplainResponse, Fault> {
        desk.queue_settings(&request.queue_name, Permission::LettersRead).await?;
        let failure = failure(&request.fault.unwrap_or_default())?;
        let wanted = WantedTerms {
            policy: retry_policy(&request.retry_policy)?,
            max_retries: max_retries(request.max_retries)?,
        };
        let policy = Policy::builder().build().map_err(|_| Fault::internal())?;
        let told = Explanation::of(&failure, &policy, wanted, Terms::MAX_RETRIES);
        let told = told.map_err(|invalid| Fault::bad(invalid.to_string()))?;
        let schedule = told.schedule.iter().map(|retry| ExplainedAttempt {
            attempt: count(retry.number),
            delay: retry.delay.to_string(),
            after: retry.after.to_string(),
        });
        Ok(LettersExplainResponse {
            category: told.category.to_string(),
            rule: told.rule.to_string(),
            evidence: told.evidence.clone(),
            fingerprint: told.fingerprint.to_string(),
            policy: told.terms.policy.to_string(),
            policy_source: told.terms.source.to_string(),
            status: told.begins.to_string(),
            schedule: schedule.collect(),
            ends: told.ends.to_string(),
        })
    }
}
