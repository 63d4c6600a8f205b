//! An explanation as it is printed: the same format for a local explanation and for one by the server.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{ExplainedAttempt, LettersExplainResponse};
use redrive_core::{BrokenRule, Explanation, PlannedRetry, Span, Status};
use serde::{Serialize, Serializer};

use crate::console::{Format, print, printable};

#[derive(Debug, Serialize)]
pub(super) struct ExplanationOutput {
    category: String,
    rule: String,
    evidence: String,
    fingerprint: String,
    policy: String,
    policy_source: String,
    /// The matching template of the queue.
    #[serde(skip_serializing_if = "String::is_empty")]
    template: String,
    /// A template that was skipped because its condition failed, with the error.
    #[serde(skip_serializing_if = "String::is_empty")]
    broken_template: String,
    /// A rule that was skipped because its condition failed, with the error.
    #[serde(skip_serializing_if = "String::is_empty")]
    broken_rule: String,
    /// `None` if the server has its own number and retries nothing automatically: its response does not have the number.
    max_retries: Option<u32>,
    begins: String,
    schedule: Vec<RetryOutput>,
    ends: String,
}

#[derive(Debug, Serialize)]
struct RetryOutput {
    retry: u32,
    #[serde(rename = "delay_seconds", serialize_with = "seconds")]
    delay: Span,
    #[serde(rename = "after_seconds", serialize_with = "seconds")]
    after: Span,
}

fn seconds<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(std::time::Duration::from(*span).as_secs_f64())
}

impl ExplanationOutput {
    pub(super) fn new(explanation: &Explanation) -> Self {
        let retry = |retry: &PlannedRetry| RetryOutput { retry: retry.number, delay: retry.delay, after: retry.after };
        Self {
            category: explanation.category.to_string(),
            rule: explanation.rule.to_string(),
            evidence: explanation.evidence.clone(),
            fingerprint: explanation.fingerprint.to_string(),
            policy: explanation.terms.policy.to_string(),
            policy_source: explanation.terms.source.to_string(),
            template: String::new(),
            broken_template: String::new(),
            broken_rule: explanation.broken_rule.as_ref().map(BrokenRule::brief).unwrap_or_default(),
            max_retries: Some(explanation.terms.max_retries),
            begins: explanation.begins.to_string(),
            schedule: explanation.schedule.iter().map(retry).collect(),
            ends: explanation.ends.to_string(),
        }
    }

    /// `None` if the response is invalid.
    pub(super) fn from_response(response: LettersExplainResponse, max_retries: Option<u32>) -> Option<Self> {
        let retry = |attempt: &ExplainedAttempt| {
            Some(RetryOutput {
                retry: u32::try_from(attempt.attempt).ok()?,
                delay: attempt.delay.parse().ok()?,
                after: attempt.after.parse().ok()?,
            })
        };
        let schedule = response.schedule.iter().map(retry).collect::<Option<Vec<_>>>()?;
        // A letter is exhausted when all retries have failed, so the schedule has the maximum.
        let is_exhausted = response.ends == Status::Exhausted.as_str();
        let scheduled = u32::try_from(schedule.len()).ok().filter(|_| is_exhausted);
        Some(Self {
            category: response.category,
            rule: response.rule,
            evidence: response.evidence,
            fingerprint: response.fingerprint,
            policy: response.policy,
            policy_source: response.policy_source,
            template: response.template,
            broken_template: response.broken_template,
            broken_rule: response.broken_rule,
            max_retries: max_retries.or(scheduled),
            begins: response.status,
            schedule,
            ends: response.ends,
        })
    }

    pub(super) fn print(&self, format: Format) -> Result<()> {
        print(format, self, |out| self.print_text(out))
    }

    fn print_text(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "category     {}", self.category)?;
        writeln!(out, "rule         {}", printable(&self.rule))?;
        writeln!(out, "evidence     {}", printable(&self.evidence))?;
        writeln!(out, "fingerprint  {}", self.fingerprint)?;
        writeln!(out, "policy       {} ({})", self.policy, self.policy_source)?;
        if !self.template.is_empty() {
            writeln!(out, "template     {}", printable(&self.template))?;
        }
        for skipped in [&self.broken_template, &self.broken_rule].into_iter().filter(|text| !text.is_empty()) {
            writeln!(out, "skipped      {}", printable(skipped))?;
        }
        writeln!(out, "status       {}", self.begins)?;
        for RetryOutput { retry, delay, after } in &self.schedule {
            writeln!(out, "  retry {retry:<4} after {delay}, {after} after the first failure")?;
        }
        if self.schedule.is_empty() {
            writeln!(out, "  no automatic retry; retry it with: redrive letters retry QUEUE ID")?;
        }
        Ok(writeln!(out, "final status {}", self.ends)?)
    }
}
