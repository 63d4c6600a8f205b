//! `redrive letters import`.

use std::path::PathBuf;

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersImportRequest;
use serde_json::json;

use crate::cli_error::CliError;
use crate::commands::lines::{Line, Lines};
use crate::console::{letters, say};
use crate::exit::Exit;
use crate::session::Session;
use crate::values::file_to_read;

const LINES_MAX: usize = 500;
/// The maximum size of a request, well below the limit of the server.
const BYTES_MAX: usize = 16_000_000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters import orders-dead --file dead.jsonl")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Read from this file instead of stdin.
    #[arg(long, value_name = "FILE", value_parser = file_to_read())]
    file: Option<PathBuf>,
    /// Replace existing letters by newer revisions of the input.
    #[arg(long)]
    replace: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let mut lines = Lines::of(arguments.file.as_deref())?;
    let mut import = Import { session, arguments, pending: Vec::new(), totals: ImportTotals::default() };
    let interrupted = "interrupted; repeat the import, which skips existing letters";
    while let Some(chunk) = lines.next_or(&session.interrupt, interrupted).await? {
        for line in chunk {
            import.push(line).await?;
        }
    }
    import.send().await?;
    let ImportTotals { imported, existing, rejected } = import.totals;
    let queue = &arguments.queue;
    let message = format!("imported {} into '{queue}', skipped {existing}, rejected {rejected}", letters(imported));
    let data = json!({ "queue_name": arguments.queue, "imported": imported, "there": existing, "refused": rejected });
    session.report(&message, &data)?;
    if rejected > 0 {
        return Err(CliError::new(Exit::Error, format!("{rejected} lines were rejected")).into());
    }
    Ok(())
}

#[derive(Debug, Default)]
struct ImportTotals {
    imported: u64,
    existing: u64,
    rejected: u64,
}

struct Import<'s> {
    session: &'s Session,
    arguments: &'s Arguments,
    /// Lines of the next request, with their numbers.
    pending: Vec<(u64, String)>,
    totals: ImportTotals,
}

impl Import<'_> {
    async fn push(&mut self, line: Line) -> Result<()> {
        if line.bytes.trim_ascii().is_empty() {
            return Ok(());
        }
        let Ok(text) = String::from_utf8(line.bytes) else {
            say(format_args!("line {}: not valid UTF-8", line.number));
            self.totals.rejected += 1;
            return Ok(());
        };
        let bytes: usize = self.pending.iter().map(|(_, text)| text.len()).sum();
        if self.pending.len() >= LINES_MAX || bytes + text.len() > BYTES_MAX {
            self.send().await?;
        }
        self.pending.push((line.number, text));
        Ok(())
    }

    async fn send(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let (numbers, lines): (Vec<u64>, Vec<String>) = std::mem::take(&mut self.pending).into_iter().unzip();
        let (queue_name, replace) = (self.arguments.queue.clone(), self.arguments.replace);
        let request = LettersImportRequest { queue_name, lines, replace };
        let answer = self.session.call_to_end(self.session.client.import_letters(&request)).await?;
        for rejected in &answer.refused {
            let at = usize::try_from(rejected.line.saturating_sub(1)).unwrap_or(usize::MAX);
            let number = numbers.get(at).copied().unwrap_or_default();
            say(format_args!("line {number}: {} ({})", rejected.message, rejected.reason));
        }
        self.totals.imported += answer.imported.unsigned_abs();
        self.totals.existing += answer.there.unsigned_abs();
        self.totals.rejected += answer.refused.len() as u64;
        Ok(())
    }
}
