//! `redrive letters explain`.

use anyhow::Result;

use crate::commands::explain::{ExplainOptions, explain_on_server};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Without a server: redrive explain MESSAGE

Examples:
  redrive letters explain orders-dead 'HTTP 503 Service Unavailable' --max-retries 5
  redrive letters explain orders-dead 'no answer' --io ConnectionReset --retry-after 30s")]
pub(crate) struct Arguments {
    /// Dead queue whose settings apply.
    #[arg(conflicts_with_all = ["part", "metadata", "metadata_json"])]
    queue: String,
    #[command(flatten)]
    options: ExplainOptions,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    explain_on_server(&arguments.options, &arguments.queue, session).await
}
