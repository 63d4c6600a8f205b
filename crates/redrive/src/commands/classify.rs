//! `redrive classify`: the classifier at the command line.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result};
use redrive_core::{
    Attempts, Classification, Decided, Decision, Evidence, Failure, GrpcCode, IoKind, Kind, Policy, SqlState, Time,
};
use serde::Serialize;

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
    /// The error's type: connection.reset, TimeoutError.
    #[arg(long = "type")]
    kind: Option<Kind>,
    /// The error code of the system that raised it.
    #[arg(long)]
    code: Option<String>,
    /// What caused it, outermost first; may be given again.
    #[arg(long)]
    cause: Vec<String>,
    /// The status of an HTTP answer.
    #[arg(long, group = "evidence", value_parser = clap::value_parser!(u16).range(100..=599))]
    http: Option<u16>,
    /// The number of a gRPC status.
    #[arg(long, group = "evidence", value_parser = parse_grpc)]
    grpc: Option<GrpcCode>,
    /// What the operating system said: ConnectionReset, TimedOut.
    #[arg(long, group = "evidence")]
    io: Option<IoKind>,
    /// The error code of an SQL database.
    #[arg(long, group = "evidence")]
    sqlstate: Option<SqlState>,
    /// Which attempt failed.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    attempt: u32,
    /// A piece of the work that failed; may be given again.
    #[arg(long)]
    part: Vec<String>,
    /// What else is known, as key=value; may be given again.
    #[arg(long, value_parser = parse_pair)]
    metadata: Vec<(String, String)>,
    /// A policy file, or the name of a template, whose rules are asked first.
    #[arg(long)]
    policy: Option<PathBuf>,
    /// Also say on what evidence, and what happens then.
    #[arg(long)]
    explain: bool,
}

fn parse_grpc(text: &str) -> Result<GrpcCode, String> {
    let by_number = text.parse().ok().and_then(GrpcCode::from_number);
    by_number.or_else(|| text.parse().ok()).ok_or_else(|| "1 to 16, or a name like unavailable".to_owned())
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("key=value is needed")?;
    Ok((key.to_owned(), value.to_owned()))
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
        self.message.is_some()
            || self.kind.is_some()
            || self.code.is_some()
            || self.evidence().is_some()
            || !self.cause.is_empty()
    }

    fn evidence(&self) -> Option<Evidence> {
        None.or_else(|| self.http.map(Evidence::http))
            .or_else(|| self.grpc.map(Evidence::Grpc))
            .or_else(|| self.io.map(Evidence::Io))
            .or_else(|| self.sqlstate.map(Evidence::Sql))
    }

    fn failure(&self, message: String) -> Failure {
        let mut failure = Failure::new(message);
        failure.error.kind.clone_from(&self.kind);
        failure.error.code.clone_from(&self.code);
        failure.error.evidence = self.evidence();
        failure.parts.clone_from(&self.part);
        failure.metadata = self.metadata.iter().cloned().collect();
        self.cause.iter().fold(failure, |failure, cause| failure.caused_by(Failure::new(cause)))
    }

    fn tell(&self, format: Format, policy: &Policy, message: String, out: &mut impl Write) -> Result<()> {
        let failure = self.failure(message);
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
