//! `redrive classify`: the classifier at the command line.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result};
use redrive_core::{Attempts, Classification, Decided, Decision, Policy, Time};
use serde::Serialize;

use crate::commands::known::Known;
use crate::commands::policy;
use crate::console::{Format, printable, say};

/// Say what kind of fault an error is, and which rule says so.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive classify 'HTTP 429 Too Many Requests'
  redrive classify --type TimeoutError --cause 'connection reset by peer'
  redrive classify --policy shop.toml --explain 'billing is down'
  redrive classify < errors.log")]
pub(crate) struct Arguments {
    /// The error's message. Without one (and without --type, --http …), each line of stdin is one.
    message: Option<String>,
    #[command(flatten)]
    known: Known,
    /// Which attempt failed.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    attempt: u32,
    /// A policy file, or the name of a template, whose rules are asked first.
    #[arg(long)]
    policy: Option<PathBuf>,
    /// Also say on what evidence, and what happens then.
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
        return arguments.tell(format, &policy, arguments.message.clone().unwrap_or_default(), &mut out);
    }
    let mut input = stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).context("could not read stdin")? == 0 {
            return Ok(());
        }
        // Logs hold bytes of all sorts; one that is no text must not end the run.
        let text = String::from_utf8_lossy(&line);
        arguments.tell(format, &policy, text.trim_end_matches(['\r', '\n']).to_owned(), &mut out)?;
    }
}

impl Arguments {
    fn describes_one(&self) -> bool {
        self.message.is_some() || self.known.says_something()
    }

    fn tell(&self, format: Format, policy: &Policy, message: String, out: &mut impl Write) -> Result<()> {
        let failure = self.known.failure(message);
        // The answer is told relative to now, so any time will do; jitter is left out.
        let now = Time::EPOCH;
        let Decided { decision, classification: found } =
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
    /// What the policy does with it.
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
