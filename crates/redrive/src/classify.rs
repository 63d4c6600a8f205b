//! `redrive classify`: the classifier at the command line.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result};
use redrive_core::{Classification, Evidence, Failure, GrpcCode, IoKind, Kind, Policy, Span, SqlState};
use serde::Serialize;

use crate::policy;

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
    #[arg(long, group = "evidence")]
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
    #[arg(long, default_value_t = 1)]
    attempt: u32,
    /// A policy file, or the name of a template, whose rules are asked first.
    #[arg(long)]
    policy: Option<PathBuf>,
    /// Also say on what evidence.
    #[arg(long)]
    explain: bool,
    #[arg(long, value_enum, default_value_t)]
    output: Output,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub(crate) enum Output {
    #[default]
    Text,
    /// One object a line.
    Json,
}

fn parse_grpc(text: &str) -> Result<GrpcCode, String> {
    let by_number = text.parse().ok().and_then(GrpcCode::from_number);
    by_number.or_else(|| text.parse().ok()).ok_or_else(|| "1 to 16, or a name like unavailable".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let policy = match &arguments.policy {
        Some(policy) => policy::find(policy)?,
        None => Policy::builder().build()?,
    };
    let mut out = stdout().lock();
    if arguments.describes_one() {
        return arguments.tell(&policy, arguments.message.clone().unwrap_or_default(), &mut out);
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
        arguments.tell(&policy, text.trim_end_matches(['\r', '\n']).to_owned(), &mut out)?;
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
        self.cause.iter().fold(failure, |failure, cause| failure.caused_by(Failure::new(cause)))
    }

    fn tell(&self, policy: &Policy, message: String, out: &mut impl Write) -> Result<()> {
        let failure = self.failure(message);
        let found = policy.classifier().classify(&failure, self.attempt);
        if let Some(broken) = &found.broken_rule {
            eprintln!("warning: {broken}");
        }
        match self.output {
            Output::Json => writeln!(out, "{}", serde_json::to_string(&Answer::new(&found))?)?,
            Output::Text if self.explain => {
                let answer = Answer::new(&found);
                writeln!(out, "{}", answer.category)?;
                writeln!(out, "  rule      {}\n  evidence  {}", answer.rule, printable(&answer.evidence))?;
                writeln!(out, "  policy    {}", answer.retry_policy)?;
                if let Some(retries) = answer.max_retries {
                    writeln!(out, "  retries   {retries}")?;
                }
                if let Some(delay) = answer.delay {
                    writeln!(out, "  delay     {delay}")?;
                }
            }
            Output::Text => {
                let message = printable(&failure.error.message);
                writeln!(out, "{:<10}  {:<32}  {message}", found.category, found.rule.to_string())?;
            }
        }
        Ok(())
    }
}

/// A text of unknown origin, on one line and without commands to the terminal.
fn printable(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[derive(Serialize)]
struct Answer {
    category: &'static str,
    rule: String,
    evidence: String,
    retry_policy: &'static str,
    /// What a rule of the user's sets, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delay: Option<Span>,
}

impl Answer {
    fn new(found: &Classification<'_>) -> Self {
        Self {
            category: found.category.as_str(),
            rule: found.rule.to_string(),
            evidence: found.grounds.to_string(),
            retry_policy: found.overrides.policy.unwrap_or_else(|| found.category.derived_policy()).as_str(),
            max_retries: found.overrides.max_retries,
            delay: found.overrides.delay,
        }
    }
}
