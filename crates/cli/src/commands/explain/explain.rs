//! Explains a failure locally, or by the server.

use std::path::PathBuf;

use anyhow::Result;
use redrive_core::{Explanation, LetterTerms, Policy, RetryTerms};

use super::options::ExplainOptions;
use super::output::ExplanationOutput;
use crate::cli_error::CliError;
use crate::commands::policy;
use crate::exit::Exit;
use crate::session::{ServerOptions, Session};

/// Explain how a failure would be classified and retried.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive explain 'HTTP 429 Too Many Requests'
  redrive explain 'no such customer' --type ValidationError
  redrive explain --http 503 --max-retries 5
  redrive explain 'no answer' --code GATEWAY_DOWN --cause 'connection reset by peer'
  redrive explain 'disk quota exceeded' --retry-policy exponential --output json
  redrive explain 'HTTP 503 Service Unavailable' --queue orders-dead")]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: ExplainOptions,
    /// Policy file (TOML), or name of a policy template. Its rules are evaluated before the built-in rules.
    #[arg(long, value_parser = policy::named_or_file())]
    policy: Option<PathBuf>,
    /// Use the settings of this dead queue on the server.
    #[arg(long, value_name = "QUEUE", conflicts_with_all = ["policy", "part", "metadata", "metadata_json"])]
    queue: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, server: &ServerOptions) -> Result<()> {
    if let Some(queue) = &arguments.queue {
        let explain = |session: Session| async move { explain_on_server(&arguments.options, queue, &session).await };
        return Session::run(server, explain);
    }
    let policy = match &arguments.policy {
        Some(policy) => policy::find(policy)?,
        None => Policy::builder().build()?,
    };
    let (failure, requested) = (arguments.options.failure(), arguments.options.requested());
    let (max_retries, interval) = (RetryTerms::MAX_RETRIES, LetterTerms::RETRY_INTERVAL);
    let classify = |attempt| policy.classifier().classify(&failure, attempt);
    let explanation = Explanation::of(&failure, &policy, classify, requested, max_retries, None, interval)?;
    ExplanationOutput::new(&explanation).print(server.format())
}

/// An explanation by the server, with the settings of a queue.
pub(crate) async fn explain_on_server(options: &ExplainOptions, queue: &str, session: &Session) -> Result<()> {
    let response = session.call(session.client.explain(&options.request(queue))).await?;
    let output = ExplanationOutput::from_response(response, options.requested().max_retries);
    output.ok_or_else(|| CliError::new(Exit::Error, "invalid response of the server"))?.print(session.format)
}
