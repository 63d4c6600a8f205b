//! `redrive audit export`.
//!
//! Without filters the whole log is written as it is stored, so that the file can be verified later. The filtered
//! records have gaps between them and could not be verified; they are written as `list --output json` prints them.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{AuditListRequest, AuditRecordInfo};

use super::audit_line::AuditLine;
use super::audit_pages::AuditPages;
use super::filter_options::FilterOptions;
use crate::commands::export::{create_new, write_export};
use crate::console::counted;
use crate::session::Session;
use crate::values::new_file;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive audit export --file audit.jsonl
  redrive audit export --since 24h --actor ann > ann.jsonl")]
pub(crate) struct Arguments {
    #[command(flatten)]
    filter: FilterOptions,
    /// Write to this new file instead of stdout.
    #[arg(long, value_name = "FILE", value_parser = new_file())]
    file: Option<PathBuf>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let filter = arguments.filter.request(session);
    // The whole log is that of all namespaces.
    let whole = AuditListRequest { all_namespaces: filter.all_namespaces, ..AuditListRequest::default() };
    let request = if filter == whole {
        AuditListRequest { stored: true, oldest_first: true, ..AuditListRequest::default() }
    } else {
        AuditListRequest { oldest_first: true, ..filter }
    };
    let file = arguments.file.as_deref();
    let done = write_export(file, create_new, session, async |out| write_all(request, session, out).await).await?;
    session.report_export(file, &format!("exported {}", counted(done, "audit record")), done)
}

async fn write_all(request: AuditListRequest, session: &Session, out: &mut dyn Write) -> Result<u64> {
    let is_stored = request.stored;
    let mut pages = AuditPages::new(session, request, usize::MAX);
    let mut done = 0;
    while let Some(page) = pages.next().await? {
        for record in &page {
            write_line(record, is_stored, out)?;
        }
        done += u64::try_from(page.len())?;
    }
    Ok(done)
}

fn write_line(record: &AuditRecordInfo, is_stored: bool, out: &mut dyn Write) -> Result<()> {
    if is_stored {
        out.write_all(&record.stored)?;
        Ok(out.write_all(b"\n")?)
    } else {
        Ok(writeln!(out, "{}", serde_json::to_string(&AuditLine::from(record))?)?)
    }
}
