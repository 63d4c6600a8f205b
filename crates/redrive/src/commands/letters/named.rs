//! Letters that a user names: by their ids or source ids, or by lines of stdin as `letters list` prints them.

use anyhow::Result;
use redrive_client::ClientError;
use serde::Deserialize;

use crate::commands::lines::{Line, Lines};
use crate::complaint::Complaint;
use crate::console::{letters, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

/// So many go into one request, which is done whole or not at all.
const BATCH: usize = 1_000;

#[derive(Debug, clap::Args)]
pub(super) struct Named {
    pub(super) queue: String,
    /// The letters, each by its id or its source id. `-` reads them from stdin: an id a line, or an object as `letters list --output json` prints it.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
}

impl Named {
    /// Makes the call with all of them, request by request; how many it changed.
    pub(super) async fn each(
        &self,
        session: &Session,
        told: &str,
        call: impl AsyncFn(Vec<String>) -> Result<i64, ClientError>,
    ) -> Result<u64> {
        let mut batches = self.batches(session)?;
        let mut changed = 0;
        let mut is_begun = false;
        loop {
            let outcome = match batches.next().await {
                Ok(None) => return Ok(changed),
                Ok(Some(ids)) => session.finish(call(ids)).await,
                Err(error) => Err(error),
            };
            match outcome {
                Ok(count) => changed += u64::try_from(count)?,
                Err(error) => {
                    if is_begun {
                        say(format_args!("{told} {}, and none from then on", letters(changed)));
                    }
                    return Err(error);
                }
            }
            is_begun = true;
        }
    }

    pub(super) fn batches<'s>(&self, session: &'s Session) -> Result<Batches<'s>> {
        let is_stdin = self.ids == ["-"];
        let lines = if is_stdin { Some(Lines::of_stdin()?) } else { None };
        let known = if is_stdin { Vec::new() } else { self.ids.clone() };
        Ok(Batches { session, lines, known })
    }
}

pub(super) struct Batches<'s> {
    session: &'s Session,
    lines: Option<Lines>,
    known: Vec<String>,
}

impl Batches<'_> {
    pub(super) async fn next(&mut self) -> Result<Option<Vec<String>>> {
        while self.known.len() < BATCH {
            let Some(lines) = &mut self.lines else { break };
            let Some(chunk) = self.session.interrupt.or(lines.next()).await else {
                return Err(Interrupt::complaint("interrupted").into());
            };
            let Some(chunk) = chunk else {
                self.lines = None;
                break;
            };
            let ids = chunk?;
            let ids = ids.iter().filter(|line| !line.bytes.trim_ascii().is_empty()).map(id);
            self.known.extend(ids.collect::<Result<Vec<_>>>()?);
        }
        let batch: Vec<_> = self.known.drain(..self.known.len().min(BATCH)).collect();
        Ok(Some(batch).filter(|batch| !batch.is_empty()))
    }
}

/// What is read of a line; whatever else it says does not matter here.
#[derive(Debug, Deserialize)]
struct Reference {
    id: String,
}

/// Ids have no brackets, so a line that begins with one is an object.
fn id(line: &Line) -> Result<String> {
    let text = std::str::from_utf8(&line.bytes).unwrap_or_default().trim();
    if !text.is_empty() && !text.starts_with('{') {
        return Ok(text.to_owned());
    }
    serde_json::from_str::<Reference>(text).map(|letter| letter.id).map_err(|_| {
        let what = format!("line {} is no letter: it has no id", line.number);
        Complaint::new(Exit::Error, what)
            .advise("each line is an id, or an object as letters list --output json prints it")
            .into()
    })
}
