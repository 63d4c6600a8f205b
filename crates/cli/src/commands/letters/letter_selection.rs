//! The letters of a command: ids or source ids as arguments, lines of stdin in the format that `letters list` prints, or
//! a group.

use anyhow::Result;
use redrive_client::ClientError;
use serde::Deserialize;
use serde_json::json;

use super::bulk::{self, BulkScope};
use super::group::{GroupName, filter_of, parse_group};
use crate::cli_error::CliError;
use crate::commands::lines::{Line, Lines};
use crate::console::{letters, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

/// The maximum number of letters per request. A request is executed completely or not at all.
const BATCH: usize = 1_000;

#[derive(Debug, clap::Args)]
pub(super) struct LetterSelection {
    /// Queue name.
    pub(super) queue: String,
    /// Letter ids or source ids. With -, they are read from stdin: one id per line, or one object as letters list
    /// --output json prints it.
    #[arg(required_unless_present = "group", value_name = "ID")]
    ids: Vec<String>,
    /// All letters of this group instead: a fingerprint or its beginning, as letters groups prints it. The command shows
    /// their number and prompts for confirmation; it needs --reason.
    #[arg(long, value_name = "FINGERPRINT", value_parser = parse_group, conflicts_with = "ids")]
    group: Option<GroupName>,
    /// With --group: show what would be done, and change nothing.
    #[arg(long, requires = "group")]
    dry_run: bool,
}

/// The confirmation of an act that prompts for it only with `--group`.
#[derive(Debug, clap::Args)]
pub(super) struct GroupConfirmation {
    /// With --group: do not prompt for confirmation.
    #[arg(long, requires = "group")]
    pub(super) yes: bool,
}

impl LetterSelection {
    /// Letters by their ids.
    pub(super) fn of_ids(queue: &str, ids: &[String]) -> Self {
        Self { queue: queue.to_owned(), ids: ids.to_vec(), group: None, dry_run: false }
    }

    /// The letters of `--group`, if it was given.
    pub(super) async fn group(&self, is_confirmed: bool, session: &Session) -> Result<Option<BulkScope>> {
        let Some(group) = &self.group else { return Ok(None) };
        let filter = filter_of(&group.fingerprint(&self.queue, session).await?);
        let (queue, is_dry_run) = (self.queue.clone(), self.dry_run);
        Ok(Some(BulkScope { queue, filter, is_confirmed, is_dry_run, ..BulkScope::default() }))
    }

    /// Makes the call for all letters, in batches, and reports the number of changed letters.
    pub(super) async fn change(
        &self,
        action: bulk::Action,
        session: &Session,
        call: impl AsyncFn(Vec<String>) -> Result<i64, ClientError>,
    ) -> Result<()> {
        let mut batches = self.batches(session)?;
        let mut changed = 0;
        let mut has_changed = false;
        let (queue, participle) = (&self.queue, action.participle());
        loop {
            let outcome = match batches.next().await {
                Ok(None) => break,
                Ok(Some(_)) if session.interrupt.is_raised() => Err(Interrupt::error("interrupted").into()),
                Ok(Some(ids)) => session.call_to_end(call(ids)).await,
                Err(error) => Err(error),
            };
            match outcome {
                Ok(count) => changed += u64::try_from(count)?,
                Err(error) => {
                    if has_changed {
                        say(format_args!("{participle} {} before the error", letters(changed)));
                    }
                    return Err(error);
                }
            }
            has_changed = true;
        }
        let data = json!({ "queue_name": queue, participle: changed });
        session.report(&format!("{participle} {} of '{queue}'", letters(changed)), &data)
    }

    /// The selection with all ids of stdin, and their number.
    pub(super) async fn read_all(&self, session: &Session) -> Result<(Self, u64)> {
        let mut batches = self.batches(session)?;
        let mut ids = Vec::new();
        while let Some(batch) = batches.next().await? {
            ids.extend(batch);
        }
        Ok((Self::of_ids(&self.queue, &ids), ids.len() as u64))
    }

    pub(super) fn batches<'s>(&self, session: &'s Session) -> Result<Batches<'s>> {
        let is_stdin = self.ids == ["-"];
        let lines = if is_stdin { Some(Lines::of_stdin()?) } else { None };
        let pending = if is_stdin { Vec::new() } else { self.ids.clone() };
        Ok(Batches { session, lines, pending })
    }
}

pub(super) struct Batches<'s> {
    session: &'s Session,
    lines: Option<Lines>,
    /// Ids that were read and are not yet in a batch.
    pending: Vec<String>,
}

impl Batches<'_> {
    pub(super) async fn next(&mut self) -> Result<Option<Vec<String>>> {
        while self.pending.len() < BATCH {
            let Some(lines) = &mut self.lines else { break };
            let Some(chunk) = lines.next(&self.session.interrupt).await? else {
                self.lines = None;
                break;
            };
            let ids = chunk.iter().filter(|line| !line.bytes.trim_ascii().is_empty()).map(id);
            self.pending.extend(ids.collect::<Result<Vec<_>>>()?);
        }
        let batch: Vec<_> = self.pending.drain(..self.pending.len().min(BATCH)).collect();
        Ok(Some(batch).filter(|batch| !batch.is_empty()))
    }
}

/// The fields that are read from a line; others are ignored.
#[derive(Debug, Deserialize)]
struct Reference {
    id: String,
}

/// An id has no brackets, so a line that begins with one is an object.
fn id(line: &Line) -> Result<String> {
    let text = std::str::from_utf8(&line.bytes).unwrap_or_default().trim();
    if !text.is_empty() && !text.starts_with('{') {
        return Ok(text.to_owned());
    }
    serde_json::from_str::<Reference>(text).map(|letter| letter.id).map_err(|_| {
        let what = format!("line {} is not a letter: it has no id", line.number);
        CliError::new(Exit::Error, what)
            .remedy("each line must be an id, or an object as letters list --output json prints it")
            .into()
    })
}
