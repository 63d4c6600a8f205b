//! `redrive letters export`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use redrive_client::proto::redrive::v1::LettersExportRequest;
use redrive_core::Status;

use super::group::GroupOption;
use crate::cli_error::CliError;
use crate::console::letters;
use crate::session::Session;
use crate::values::{new_file, parse_filter};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters export orders-dead --file dead.jsonl --reason 'moving to another server'
  redrive letters export orders-dead -s exhausted --group 489d256cf7c4 --reason 'incident review'")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Write to this new file instead of stdout.
    #[arg(long, value_name = "FILE", value_parser = new_file())]
    file: Option<PathBuf>,
    /// Only letters with these statuses.
    #[arg(short, long, value_name = "STATUS", value_delimiter = ',')]
    status: Vec<Status>,
    /// Only letters that match this CEL condition.
    #[arg(long, value_name = "CEL", default_value = "", hide_default_value = true, value_parser = parse_filter)]
    filter: String,
    #[command(flatten)]
    group: GroupOption,
}

pub(super) async fn run(arguments: &Arguments, has_reason: bool, session: &Session) -> Result<()> {
    if !has_reason {
        let error = CliError::usage("an export reveals payloads and needs a reason");
        return Err(error.remedy("give it with --reason TEXT").into());
    }
    let filter = arguments.group.narrow(&arguments.filter, &arguments.queue, session).await?;
    let done = match &arguments.file {
        None => {
            let mut out = session.out();
            let done = write_all(arguments, &filter, session, &mut out).await?;
            out.flush()?;
            done
        }
        Some(path) => {
            let shown = path.display();
            let file = File::create_new(path).with_context(|| format!("cannot create the file {shown}"))?;
            let mut out = BufWriter::new(file);
            let done = write_all(arguments, &filter, session, &mut out).await?;
            // The export must be durable: the letters may be purged next.
            let file = out.into_inner().with_context(|| format!("cannot write {shown}"))?;
            file.sync_all().with_context(|| format!("cannot write {shown}"))?;
            done
        }
    };
    let message = format!("exported {} from '{}'", letters(done), arguments.queue);
    session.report_export(arguments.file.as_deref(), &message, done)
}

async fn write_all(arguments: &Arguments, filter: &str, session: &Session, out: &mut impl Write) -> Result<u64> {
    let mut done = 0;
    let mut after = String::new();
    loop {
        let request = LettersExportRequest {
            queue_name: arguments.queue.clone(),
            statuses: arguments.status.iter().map(ToString::to_string).collect(),
            filter: filter.to_owned(),
            after,
            ..LettersExportRequest::default()
        };
        let page = session.call(session.client.export_letters(&request)).await?;
        page.lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        done += u64::try_from(page.lines.len())?;
        if page.next.is_empty() {
            return Ok(done);
        }
        after = page.next;
    }
}
