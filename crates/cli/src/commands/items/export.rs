//! `redrive items export`.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::item_line::ItemLine;
use super::pages::{ItemList, Pages};
use crate::cli_error::CliError;
use crate::commands::export::write_export;
use crate::console::{Progress, items, say};
use crate::exit::Exit;
use crate::session::Session;
use crate::values::{at_least, new_file};

#[derive(clap::Args)]
#[command(
    after_help = "Stop the producers and consumers of the queue first: items that change during the export may be
missing or exported twice.

Examples:
  redrive items export orders --file orders.jsonl
  redrive items export orders | redrive --server http://10.0.0.2:2319 items import orders"
)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Write to this new file instead of stdout.
    #[arg(long, value_name = "FILE", value_parser = new_file())]
    file: Option<PathBuf>,
    /// Only items of this partition.
    #[arg(long, value_name = "NUMBER", value_parser = at_least(0))]
    partition: Option<i32>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let lists = [ItemList::Items, ItemList::Scheduled];
    let mut pages = Pages::new(session, &arguments.queue, arguments.partition, &lists).await?;
    let progress = Progress::new("items", Some(pages.total));
    let file = arguments.file.as_deref();
    write_export(file, create, session, async |out| write_all(&mut pages, &progress, out).await).await?;
    let done = progress.done();
    let damaged = pages.damaged;
    drop(progress);
    let message = format!("exported {} from '{}'", items(done), arguments.queue);
    session.report_export(file, &message, done)?;
    if damaged > 0 {
        say(format_args!(
            "skipped {}: damaged on disk; list them with: redrive items list {} --state damaged",
            items(damaged),
            arguments.queue
        ));
    }
    Ok(())
}

async fn write_all(pages: &mut Pages<'_>, progress: &Progress, out: &mut dyn Write) -> Result<()> {
    while let Some(page) = pages.next().await? {
        let count = page.items.len();
        for item in page.items {
            writeln!(out, "{}", serde_json::to_string(&ItemLine::new(page.list, item))?)?;
        }
        progress.add(count);
    }
    Ok(())
}

/// Creates the file. Fails if it exists: an earlier export must not be overwritten.
fn create(path: &Path) -> Result<File> {
    let shown = path.display();
    File::create_new(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => CliError::new(Exit::Error, format!("{shown} already exists"))
            .remedy("choose another name, or remove it first")
            .into(),
        _ => anyhow::Error::new(error).context(format!("cannot write {shown}")),
    })
}
