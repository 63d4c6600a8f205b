//! `redrive letters import`.

use std::path::PathBuf;

use anyhow::Result;
use redrive_client::Letters;
use serde_json::json;

use crate::commands::lines::{Line, Lines};
use crate::complaint::Complaint;
use crate::console::{letters, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

const LINES_MAX: usize = 500;
/// Far below what a server takes.
const BYTES_MAX: usize = 16_000_000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters import orders-dead --file dead.jsonl")]
pub(crate) struct Arguments {
    queue: String,
    /// A file, in place of stdin.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Have newer revisions of letters take the place of those that are there.
    #[arg(long)]
    replace: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let mut lines = match &arguments.file {
        None => Lines::of_stdin()?,
        Some(file) => Lines::of_file(file)?,
    };
    let queue = session.client.letters(&arguments.queue);
    let mut import = Import { session, queue, replace: arguments.replace, held: Vec::new(), sums: Sums::default() };
    let interrupted = || Interrupt::complaint("interrupted; what was sent is in, and may be sent again");
    while let Some(chunk) = session.interrupt.or(lines.next()).await.ok_or_else(interrupted)? {
        for line in chunk? {
            import.push(line).await?;
        }
    }
    import.send().await?;
    let Sums { imported, there, refused } = import.sums;
    let told = format!("put {} into '{}', {there} were there, {refused} refused", letters(imported), arguments.queue);
    let data = json!({ "queue_name": arguments.queue, "imported": imported, "there": there, "refused": refused });
    session.report(&told, &data)?;
    if refused > 0 {
        return Err(Complaint::new(Exit::Error, format!("{refused} lines were refused")).into());
    }
    Ok(())
}

#[derive(Debug, Default)]
struct Sums {
    imported: u64,
    there: u64,
    refused: u64,
}

struct Import<'s> {
    session: &'s Session,
    queue: Letters,
    replace: bool,
    /// With the numbers of their lines.
    held: Vec<(u64, String)>,
    sums: Sums,
}

impl Import<'_> {
    async fn push(&mut self, line: Line) -> Result<()> {
        if line.bytes.trim_ascii().is_empty() {
            return Ok(());
        }
        let Ok(text) = String::from_utf8(line.bytes) else {
            say(format_args!("line {}: this is no text", line.number));
            self.sums.refused += 1;
            return Ok(());
        };
        let bytes: usize = self.held.iter().map(|(_, text)| text.len()).sum();
        if self.held.len() >= LINES_MAX || bytes + text.len() > BYTES_MAX {
            self.send().await?;
        }
        self.held.push((line.number, text));
        Ok(())
    }

    async fn send(&mut self) -> Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let (numbers, lines): (Vec<u64>, Vec<String>) = std::mem::take(&mut self.held).into_iter().unzip();
        let answer = self.session.finish(self.queue.import(lines, self.replace)).await?;
        for refused in &answer.refused {
            let at = usize::try_from(refused.line.saturating_sub(1)).unwrap_or(usize::MAX);
            let number = numbers.get(at).copied().unwrap_or_default();
            say(format_args!("line {number}: {} ({})", refused.message, refused.reason));
        }
        self.sums.imported += answer.imported.unsigned_abs();
        self.sums.there += answer.there.unsigned_abs();
        self.sums.refused += answer.refused.len() as u64;
        Ok(())
    }
}
