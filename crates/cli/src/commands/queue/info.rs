//! `redrive queue info`.

use std::io::Write;

use anyhow::Result;

use super::queue_line::{QueueLine, fields};
use crate::console::Format;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let queue = session.queue_info(&arguments.name).await?;
    let mut out = session.out();
    match session.format {
        Format::Table => fields(&queue).print(&mut out)?,
        Format::Json => writeln!(out, "{}", serde_json::to_string(&QueueLine::from(&queue))?)?,
    }
    Ok(out.flush()?)
}
