//! `redrive context list`.

use anyhow::Result;

use super::context_line::{ContextLine, HEADER};
use crate::console::Lines;
use crate::session::{ContextFile, ServerOptions};

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive context list")]
pub(crate) struct Arguments {}

pub(super) fn run(_arguments: &Arguments, options: &ServerOptions) -> Result<()> {
    let file = ContextFile::required()?;
    let current = options.selected_name(&file)?;
    let mut lines = Lines::new(options.format(), HEADER);
    for (name, context) in &file.contexts {
        let line = ContextLine::new(name, context, current.as_ref() == Some(name));
        lines.push(|| line.row(), &line)?;
    }
    lines.finish()
}
