//! `redrive letters retry`.

use std::io::{Write, stdout};

use anyhow::Result;
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{Letter, LettersRetryRequest, LettersRetryResponse};
use serde::Serialize;

use super::bulk;
use super::named_or_selected::NamedOrSelected;
use crate::cli_error::CliError;
use crate::console::{Format, excerpt, given, letters, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

/// The characters of an error on stderr; `--output json` prints the whole error.
const ERROR_CHARS_MAX: usize = 200;

#[derive(clap::Args)]
#[command(
    after_help = "A letter whose dead queue has a target in dlq.targets is sent to that target: letters named by id one
after the other; the command waits for each outcome, and exits with 1 if a retry failed. A letter of any other dead queue
is handed back to where it came from, and completed by that: a queue, or the topic or mailbox that a route reads. If it
dies again, it is the same letter, open again.

Examples:
  redrive letters retry orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive letters retry orders-dead --all --yes --reason 'the bank is back'
  redrive letters retry orders-dead --group 489d256cf7c4 --yes --reason 'the bank is back'
  redrive letters retry orders-dead --filter \"category == 'network'\" --dry-run
  redrive letters list orders-dead -s exhausted -j | redrive letters retry orders-dead -"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    letters: NamedOrSelected,
    /// Retry even if the circuit breaker of the destination is open.
    #[arg(long, conflicts_with_all = ["group", "destination", "filter", "all"])]
    force: bool,
}

/// A line of `--output json`.
#[derive(Debug, Serialize)]
struct RetriedLine<'r> {
    id: &'r str,
    queue_name: &'r str,
    success: bool,
    message: &'r str,
    status: &'r str,
    error: Option<&'r str>,
    total_attempts: i32,
    next_retry_at: Option<Timestamp>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    if let Some(scope) = arguments.letters.scope(session).await? {
        return bulk::execute(bulk::Action::Retry, &scope, session).await;
    }
    let queue = &arguments.letters.queue;
    let mut batches = arguments.letters.named().batches(session)?;
    let (mut tried, mut failed) = (0_u64, 0_u64);
    while let Some(ids) = batches.next().await? {
        for id in ids {
            if session.interrupt.is_raised() {
                return Err(Interrupt::error(format!("interrupted; retried {}", letters(tried))).into());
            }
            let request = LettersRetryRequest { queue_name: queue.clone(), id, force: arguments.force };
            let retried = session.call_to_end(session.client.retry_letter(&request)).await?;
            tried += 1;
            failed += u64::from(!retried.success);
            print(&request.id, queue, &retried, session.format)?;
        }
    }
    if failed == 0 {
        return Ok(());
    }
    let message = match tried {
        1 => "Task retry failed".to_owned(),
        _ => format!("{failed} of {tried} retries failed"),
    };
    let remedy = format!("show the attempts with: redrive letters show {queue} ID");
    Err(CliError::new(Exit::Error, message).remedy(remedy).into())
}

/// Prints the outcome of a retry.
pub(super) fn print(id: &str, queue_name: &str, retried: &LettersRetryResponse, format: Format) -> Result<()> {
    let none = Letter::default();
    let letter = retried.letter.as_ref().unwrap_or(&none);
    // The argument may be a source id.
    let id = if letter.id.is_empty() { id } else { &letter.id };
    let attempt = retried.attempt.as_ref().and_then(|attempt| attempt.attempt.as_ref());
    let error = attempt.and_then(|attempt| given(&attempt.error));
    match format {
        Format::Json => {
            let line = RetriedLine {
                id,
                queue_name,
                success: retried.success,
                message: &retried.message,
                status: &letter.status,
                error,
                total_attempts: letter.total_attempts,
                next_retry_at: letter.next_retry_at,
            };
            writeln!(stdout(), "{}", serde_json::to_string(&line)?)?;
        }
        Format::Table => {
            let why = error.map(|error| format!(": {}", excerpt(error, ERROR_CHARS_MAX))).unwrap_or_default();
            let next = letter.next_retry_at.map(|at| format!(", next retry {at}")).unwrap_or_default();
            // A letter that was handed back may be removed already.
            let status = given(&letter.status).map(|status| format!("; status {status}")).unwrap_or_default();
            say(format_args!("{id}: {}{status}{next}{why}", retried.message));
        }
    }
    Ok(())
}
