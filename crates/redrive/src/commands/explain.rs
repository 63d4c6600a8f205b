//! `redrive explain`: what would become of a failure, before it happens.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Result;
use redrive_core::{Explanation, Policy, RetryPolicy, Span, Terms, WantedTerms};
use serde::Serialize;

use crate::commands::known::Known;
use crate::commands::policy;
use crate::console::{Format, printable};

/// Say what would become of a failure: its category, the rule that says so, and when it would be retried.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive explain 'HTTP 429 Too Many Requests'
  redrive explain 'no such customer' --type ValidationError
  redrive explain --http 503 --max-retries 5
  redrive explain 'disk quota exceeded' --retry-policy exponential --output json")]
pub(crate) struct Arguments {
    /// The error's message.
    #[arg(required_unless_present_any = ["kind", "code", "cause", "http", "grpc", "io", "sqlstate"])]
    message: Option<String>,
    #[command(flatten)]
    known: Known,
    /// A policy file, or the name of a template, whose rules are asked first.
    #[arg(long)]
    policy: Option<PathBuf>,
    /// How the letter is retried, instead of what its category suggests: never, linear, exponential or immediate.
    #[arg(long, value_name = "NAME")]
    retry_policy: Option<RetryPolicy>,
    /// Retries after the first failure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    max_retries: Option<u32>,
}

pub(crate) fn run(arguments: &Arguments, format: Format) -> Result<()> {
    let policy = match &arguments.policy {
        Some(policy) => policy::find(policy)?,
        None => Policy::builder().build()?,
    };
    let failure = arguments.known.failure(arguments.message.clone().unwrap_or_default());
    let wanted = WantedTerms { policy: arguments.retry_policy, max_retries: arguments.max_retries };
    let told = Explanation::of(&failure, &policy, wanted, Terms::MAX_RETRIES)?;
    let mut out = stdout().lock();
    match format {
        Format::Json => writeln!(out, "{}", serde_json::to_string(&Told::new(&told))?)?,
        Format::Table => tell(&told, &mut out)?,
    }
    Ok(())
}

fn tell(told: &Explanation, out: &mut impl Write) -> Result<()> {
    let Terms { policy, source, .. } = told.terms;
    writeln!(out, "category     {}", told.category)?;
    writeln!(out, "rule         {}", told.rule)?;
    writeln!(out, "evidence     {}", printable(&told.evidence))?;
    writeln!(out, "fingerprint  {}", told.fingerprint)?;
    writeln!(out, "policy       {policy} ({source})")?;
    writeln!(out, "letter       {}", told.begins)?;
    for retry in &told.schedule {
        writeln!(
            out,
            "  retry {:<4} {} after the failure before it, {} after the first",
            retry.number, retry.delay, retry.after
        )?;
    }
    if told.schedule.is_empty() {
        writeln!(out, "  no retry by itself; a person can retry it")?;
    }
    writeln!(out, "in the end   {}", told.ends)?;
    Ok(())
}

#[derive(Serialize)]
struct Told {
    category: &'static str,
    rule: String,
    evidence: String,
    fingerprint: String,
    policy: &'static str,
    policy_source: &'static str,
    max_retries: u32,
    begins: &'static str,
    schedule: Vec<ToldRetry>,
    ends: &'static str,
}

#[derive(Serialize)]
struct ToldRetry {
    retry: u32,
    delay_seconds: f64,
    after_seconds: f64,
}

impl Told {
    fn new(told: &Explanation) -> Self {
        let seconds = |span: Span| std::time::Duration::from(span).as_secs_f64();
        let retries = told.schedule.iter().map(|retry| ToldRetry {
            retry: retry.number,
            delay_seconds: seconds(retry.delay),
            after_seconds: seconds(retry.after),
        });
        Self {
            category: told.category.as_str(),
            rule: told.rule.to_string(),
            evidence: told.evidence.clone(),
            fingerprint: told.fingerprint.to_string(),
            policy: told.terms.policy.as_str(),
            policy_source: told.terms.source.as_str(),
            max_retries: told.terms.max_retries,
            begins: told.begins.as_str(),
            schedule: retries.collect(),
            ends: told.ends.as_str(),
        }
    }
}
