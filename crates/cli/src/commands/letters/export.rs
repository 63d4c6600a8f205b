//! `redrive letters export`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersExportRequest;
use redrive_core::Status;

use super::group::GroupOption;
use crate::commands::export::{create_new, write_export};
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

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    session.require_reason("an export reveals payloads and needs a reason")?;
    let filter = arguments.group.narrow(&arguments.filter, &arguments.queue, session).await?;
    let file = arguments.file.as_deref();
    let write = async |out: &mut dyn Write| write_all(arguments, &filter, session, out).await;
    let done = write_export(file, create_new, session, write).await?;
    let message = format!("exported {} from '{}'", letters(done), arguments.queue);
    session.report_export(file, &message, done)
}

async fn write_all(arguments: &Arguments, filter: &str, session: &Session, out: &mut dyn Write) -> Result<u64> {
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
