//! `redrive search restore`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{SearchRestoreRequest, SearchRestoreResponse};
use serde_json::json;

use crate::complaint::Complaint;
use crate::console::{Progress, letters, say};
use crate::exit::Exit;
use crate::session::Session;

/// So many letters that were not put back are named; the rest is counted.
const NAMED_MAX: u64 = 20;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive search restore                 # into a store that has no letters
  redrive search restore --merge         # beside the letters that are there; the higher revision wins
  redrive search rebuild                 # then the index is this store's own")]
pub(crate) struct Arguments {
    /// Into a store that has letters: of a letter that is in both, the higher revision wins.
    #[arg(long)]
    merge: bool,
}

#[derive(Debug, Default)]
struct Sums {
    restored: u64,
    there: u64,
    refused: u64,
    queues_made: u64,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let mut request = SearchRestoreRequest { merge: arguments.merge, ..SearchRestoreRequest::default() };
    let mut page = session.finish(session.client.restore_from_index(&request)).await?;
    let progress = Progress::new("letters", u64::try_from(page.total).ok());
    let mut sums = Sums::default();
    loop {
        sums.add(&page, &progress);
        if page.next.is_empty() {
            break;
        }
        if session.interrupt.is_raised() {
            drop(progress);
            sums.report(session)?;
            let complaint = Complaint::new(Exit::Interrupted, "interrupted before all letters were put back");
            return Err(complaint.advise("go on with: redrive search restore --merge").into());
        }
        request.after = page.next;
        page = session.finish(session.client.restore_from_index(&request)).await?;
    }
    drop(progress);
    sums.report(session)?;
    if sums.refused == 0 {
        return Ok(());
    }
    Err(Complaint::new(Exit::Refused, format!("{} were not put back", letters(sums.refused))).into())
}

impl Sums {
    fn add(&mut self, page: &SearchRestoreResponse, progress: &Progress) {
        let count = |number: i64| u64::try_from(number).unwrap_or_default();
        for refused in &page.refused {
            if self.refused < NAMED_MAX {
                say(format_args!("letter {} of '{}': {}", refused.id, refused.queue_name, refused.reason));
            }
            self.refused += 1;
        }
        self.restored += count(page.restored);
        self.there += count(page.there);
        self.queues_made += page.queues_made.len() as u64;
        for queue in &page.queues_made {
            say(format_args!("made the queue '{queue}'; look whether its settings are right"));
        }
        let done = count(page.restored) + count(page.there) + page.refused.len() as u64;
        progress.add(usize::try_from(done).unwrap_or(usize::MAX));
    }

    fn report(&self, session: &Session) -> Result<()> {
        let Self { restored, there, refused, queues_made } = self;
        let told = format!("put back {}; {there} were there, {refused} were refused", letters(*restored));
        let data = json!({ "restored": restored, "there": there, "refused": refused, "queues_made": queues_made });
        session.report(&told, &data)
    }
}
