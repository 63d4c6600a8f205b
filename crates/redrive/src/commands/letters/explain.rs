//! `redrive letters explain`.

use anyhow::Result;

use crate::commands::explain::{Question, ask};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Without a server: redrive explain MESSAGE

Examples:
  redrive letters explain orders-dead 'HTTP 503 Service Unavailable' --max-retries 5")]
pub(crate) struct Arguments {
    /// The dead queue whose settings count.
    #[arg(conflicts_with_all = ["code", "cause", "io", "part", "metadata"])]
    queue: String,
    #[command(flatten)]
    question: Question,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    ask(&arguments.question, &arguments.queue, session).await
}
