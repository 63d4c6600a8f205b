//! What would become of a failure, as it is shown: the same, whoever found it out.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{ExplainedAttempt, LettersExplainResponse};
use redrive_core::{Explanation, PlannedRetry, Span, Status};
use serde::{Serialize, Serializer};

use crate::console::{Format, printable};

#[derive(Debug, Serialize)]
pub(super) struct Told {
    category: String,
    rule: String,
    evidence: String,
    fingerprint: String,
    policy: String,
    policy_source: String,
    /// The template of the queue that matches it.
    #[serde(skip_serializing_if = "String::is_empty")]
    template: String,
    /// One that is passed over, and why.
    #[serde(skip_serializing_if = "String::is_empty")]
    broken_template: String,
    /// Not known of a server's own number, where nothing is retried by itself.
    max_retries: Option<u32>,
    begins: String,
    schedule: Vec<ToldRetry>,
    ends: String,
}

#[derive(Debug, Serialize)]
struct ToldRetry {
    retry: u32,
    #[serde(rename = "delay_seconds", serialize_with = "seconds")]
    delay: Span,
    #[serde(rename = "after_seconds", serialize_with = "seconds")]
    after: Span,
}

fn seconds<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(std::time::Duration::from(*span).as_secs_f64())
}

impl Told {
    pub(super) fn of(told: &Explanation) -> Self {
        let retry = |retry: &PlannedRetry| ToldRetry { retry: retry.number, delay: retry.delay, after: retry.after };
        Self {
            category: told.category.to_string(),
            rule: told.rule.to_string(),
            evidence: told.evidence.clone(),
            fingerprint: told.fingerprint.to_string(),
            policy: told.terms.policy.to_string(),
            policy_source: told.terms.source.to_string(),
            template: String::new(),
            broken_template: String::new(),
            max_retries: Some(told.terms.max_retries),
            begins: told.begins.to_string(),
            schedule: told.schedule.iter().map(retry).collect(),
            ends: told.ends.to_string(),
        }
    }

    /// `None` where it is not how a server tells it.
    pub(super) fn of_server(told: LettersExplainResponse, wanted: Option<u32>) -> Option<Self> {
        let retry = |attempt: &ExplainedAttempt| {
            Some(ToldRetry {
                retry: u32::try_from(attempt.attempt).ok()?,
                delay: attempt.delay.parse().ok()?,
                after: attempt.after.parse().ok()?,
            })
        };
        let schedule = told.schedule.iter().map(retry).collect::<Option<Vec<_>>>()?;
        // A letter is exhausted when all of them have failed.
        let is_spent = told.ends == Status::Exhausted.as_str();
        let by_itself = u32::try_from(schedule.len()).ok().filter(|_| is_spent);
        Some(Self {
            category: told.category,
            rule: told.rule,
            evidence: told.evidence,
            fingerprint: told.fingerprint,
            policy: told.policy,
            policy_source: told.policy_source,
            template: told.template,
            broken_template: told.broken_template,
            max_retries: wanted.or(by_itself),
            begins: told.status,
            schedule,
            ends: told.ends,
        })
    }

    pub(super) fn print(&self, format: Format, mut out: impl Write) -> Result<()> {
        match format {
            Format::Json => Ok(writeln!(out, "{}", serde_json::to_string(self)?)?),
            Format::Table => self.tell(&mut out),
        }
    }

    fn tell(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "category     {}", self.category)?;
        writeln!(out, "rule         {}", printable(&self.rule))?;
        writeln!(out, "evidence     {}", printable(&self.evidence))?;
        writeln!(out, "fingerprint  {}", self.fingerprint)?;
        writeln!(out, "policy       {} ({})", self.policy, self.policy_source)?;
        if !self.template.is_empty() {
            writeln!(out, "template     {}", printable(&self.template))?;
        }
        if !self.broken_template.is_empty() {
            writeln!(out, "passed over  {}", printable(&self.broken_template))?;
        }
        writeln!(out, "letter       {}", self.begins)?;
        for ToldRetry { retry, delay, after } in &self.schedule {
            writeln!(out, "  retry {retry:<4} {delay} after the failure before it, {after} after the first")?;
        }
        if self.schedule.is_empty() {
            writeln!(out, "  no retry by itself; a person can retry it")?;
        }
        Ok(writeln!(out, "in the end   {}", self.ends)?)
    }
}
