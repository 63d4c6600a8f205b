//! `redrive classify`.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result};
use redrive_core::{Attempts, Classification, Decided, Decision, Policy, Time};
use serde::Serialize;

use crate::commands::failure_options::FailureOptions;
use crate::commands::policy;
use crate::console::{Format, printable, say};
use crate::values::at_least;

/// Classify errors, and name the rule that decided.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive classify 'HTTP 429 Too Many Requests'
  redrive classify --type TimeoutError --cause 'connection reset by peer'
  redrive classify --policy shop.toml --explain 'billing is down'
  redrive classify < errors.log")]
pub(crate) struct Arguments {
    /// Error message. Without a message and without --type, --code, --cause or evidence, each line of stdin is a message.
    message: Option<String>,
    #[command(flatten)]
    failure: FailureOptions,
    /// Number of the failed attempt, from 1.
    #[arg(long, default_value_t = 1, value_parser = at_least(1_u32))]
    attempt: u32,
    /// Policy file (TOML), or name of a policy template. Its rules are evaluated before the built-in rules.
    #[arg(long, value_parser = policy::named_or_file())]
    policy: Option<PathBuf>,
    /// Also print the evidence, and what the policy does with the failure.
    #[arg(long)]
    explain: bool,
}

pub(crate) fn run(arguments: &Arguments, format: Format) -> Result<()> {
    let policy = match &arguments.policy {
        Some(policy) => policy::find(policy)?,
        None => Policy::builder().build()?,
    };
    let mut out = stdout().lock();
    if arguments.describes_one() {
        return arguments.print(format, &policy, arguments.message.clone().unwrap_or_default(), &mut out);
    }
    let mut input = stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).context("cannot read stdin")? == 0 {
            return Ok(());
        }
        // A log may contain any bytes; a line that is not UTF-8 must not end the command.
        let text = String::from_utf8_lossy(&line);
        arguments.print(format, &policy, text.trim_end_matches(['\r', '\n']).to_owned(), &mut out)?;
    }
}

impl Arguments {
    fn describes_one(&self) -> bool {
        self.message.is_some() || self.failure.has_error()
    }

    fn print(&self, format: Format, policy: &Policy, message: String, out: &mut impl Write) -> Result<()> {
        let failure = self.failure.failure(message);
        // The output has delays only, so any time will do; jitter is left out.
        let now = Time::EPOCH;
        let Decided { decision, classification: found, .. } =
            policy.decide(&failure, Attempts::charged(self.attempt, now), now, 0);
        if let Some(broken) = &found.broken_rule {
            say(format_args!("warning: {broken}"));
        }
        match format {
            Format::Json => writeln!(out, "{}", serde_json::to_string(&Answer::new(&found, &decision))?)?,
            Format::Table if self.explain => {
                let answer = Answer::new(&found, &decision);
                writeln!(out, "{}", answer.category)?;
                writeln!(out, "  rule      {}\n  evidence  {}", answer.rule, printable(&answer.evidence))?;
                writeln!(out, "  then      {}", answer.then)?;
            }
            Format::Table => {
                let message = printable(&failure.error.message);
                writeln!(out, "{:<10}  {:<32}  {message}", found.category, found.rule.to_string())?;
            }
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Answer {
    category: &'static str,
    rule: String,
    evidence: String,
    /// What the policy does with the failure.
    then: String,
}

impl Answer {
    fn new(found: &Classification<'_>, decision: &Decision) -> Self {
        Self {
            category: found.category.as_str(),
            rule: found.rule.to_string(),
            evidence: found.grounds.to_string(),
            then: match decision {
                Decision::Retry { at, charged } => {
                    let charge = if *charged { "" } else { ", no attempt spent" };
                    format!("retried after {}{charge}", at.since(Time::EPOCH))
                }
                other => other.to_string(),
            },
        }
    }
}
