//! `redrive queue info`.

use std::io::Write;

use anyhow::Result;

use super::paused::PausedQueues;
use super::queue_line::{QueueLine, fields};
use crate::console::Format;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive queue info orders")]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let queue = session.queue_info(&arguments.name).await?;
    let paused = PausedQueues::of(session, &arguments.name).await?.get(&arguments.name);
    let mut out = session.out();
    match session.format {
        Format::Table => fields(&queue, paused).print(&mut out)?,
        Format::Json => writeln!(out, "{}", serde_json::to_string(&QueueLine::new(&queue, paused))?)?,
    }
    Ok(out.flush()?)
}
