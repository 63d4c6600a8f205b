//! Where the answer comes from: this program, or a server.

use std::io::stdout;
use std::path::PathBuf;

use anyhow::Result;
use redrive_core::{Explanation, LetterTerms, Policy, RetryTerms};

use super::ask;
use super::question::Question;
use super::told::Told;
use crate::commands::policy;
use crate::session::{ServerOptions, Session};

/// Say what would become of a failure: its category, the rule that says so, and when it would be retried.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive explain 'HTTP 429 Too Many Requests'
  redrive explain 'no such customer' --type ValidationError
  redrive explain --http 503 --max-retries 5
  redrive explain 'disk quota exceeded' --retry-policy exponential --output json
  redrive explain 'HTTP 503 Service Unavailable' --queue orders-dead")]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: Question,
    /// A policy file, or the name of a template, whose rules are asked first.
    #[arg(long)]
    policy: Option<PathBuf>,
    /// Ask the server what would become of it in this dead queue.
    #[arg(long, value_name = "QUEUE", conflicts_with_all = ["policy", "code", "cause", "io", "part", "metadata"])]
    queue: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, server: &ServerOptions) -> Result<()> {
    if let Some(queue) = &arguments.queue {
        return Session::run(server, |session| async move { ask(&arguments.question, queue, &session).await });
    }
    let policy = match &arguments.policy {
        Some(policy) => policy::find(policy)?,
        None => Policy::builder().build()?,
    };
    let (failure, wanted) = (arguments.question.failure(), arguments.question.wanted());
    let (max_retries, interval) = (RetryTerms::MAX_RETRIES, LetterTerms::RETRY_INTERVAL);
    let told = Explanation::of(&failure, &policy, wanted, max_retries, None, interval)?;
    Told::of(&told).print(server.output, stdout().lock())
}
