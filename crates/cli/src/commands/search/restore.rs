//! `redrive search restore`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{SearchRestoreRequest, SearchRestoreResponse};
use serde_json::json;

use crate::cli_error::CliError;
use crate::console::{Progress, letters, say};
use crate::exit::Exit;
use crate::session::Session;

/// The maximum number of rejected letters that are listed; further ones are only counted.
const LISTED_MAX: u64 = 20;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive search restore                 # into a store without letters
  redrive search restore --merge         # into a store with letters; the higher revision wins
  redrive search rebuild                 # afterwards: assigns the index to this store")]
pub(crate) struct Arguments {
    /// Restore into a store that has letters. Of a letter in both, the higher revision wins.
    #[arg(long)]
    merge: bool,
}

#[derive(Debug, Default)]
struct RestoreTotals {
    restored: u64,
    existing: u64,
    rejected: u64,
    queues_created: u64,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let mut request = SearchRestoreRequest { merge: arguments.merge, ..SearchRestoreRequest::default() };
    let mut page = session.call_to_end(session.client.restore_from_index(&request)).await?;
    let progress = Progress::new("letters", u64::try_from(page.total).ok());
    let mut totals = RestoreTotals::default();
    loop {
        totals.add(&page, &progress);
        if page.next.is_empty() {
            break;
        }
        if session.interrupt.is_raised() {
            drop(progress);
            totals.report(session)?;
            let error = CliError::new(Exit::Interrupted, "interrupted before all letters were restored");
            return Err(error.remedy("continue with: redrive search restore --merge").into());
        }
        request.after = page.next;
        page = session.call_to_end(session.client.restore_from_index(&request)).await?;
    }
    drop(progress);
    totals.report(session)?;
    if totals.rejected == 0 {
        return Ok(());
    }
    Err(CliError::new(Exit::Rejected, format!("{} could not be restored", letters(totals.rejected))).into())
}

impl RestoreTotals {
    fn add(&mut self, page: &SearchRestoreResponse, progress: &Progress) {
        let count = |number: i64| u64::try_from(number).unwrap_or_default();
        for rejected in &page.refused {
            if self.rejected < LISTED_MAX {
                say(format_args!("letter {} of '{}': {}", rejected.id, rejected.queue_name, rejected.reason));
            }
            self.rejected += 1;
        }
        self.restored += count(page.restored);
        self.existing += count(page.there);
        self.queues_created += page.queues_made.len() as u64;
        for queue in &page.queues_made {
            say(format_args!("created queue '{queue}' with default settings; check: redrive queue info {queue}"));
        }
        let done = count(page.restored) + count(page.there) + page.refused.len() as u64;
        progress.add(usize::try_from(done).unwrap_or(usize::MAX));
    }

    fn report(&self, session: &Session) -> Result<()> {
        let Self { restored, existing, rejected, queues_created } = self;
        let message = format!("restored {}, skipped {existing}, rejected {rejected}", letters(*restored));
        let data =
            json!({ "restored": restored, "there": existing, "refused": rejected, "queues_made": queues_created });
        session.report(&message, &data)
    }
}
