//! `redrive retry`.

use std::collections::BTreeMap;
use std::io::{Write, stdout};

use anyhow::Result;
use redrive_client::ClientError;
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::settle_item::Verb;
use redrive_client::proto::redrive::v1::{DeadLetter, Fault, QueueSettleRequest, Retry, SettleItem, SettledItem};
use redrive_core::Kind;
use serde::Serialize;

use super::item_selection::{Batch, ItemSelection};
use super::schedule::ScheduleOptions;
use crate::console::{Format, items, say};
use crate::session::Session;
use crate::values::within;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive retry orders 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --delay 10m
  redrive retry orders 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --error 'the bank is closed' --error-type BankError --http 503
  redrive lease orders --output json | redrive retry orders - --dead")]
pub(crate) struct Arguments {
    #[command(flatten)]
    items: ItemSelection,
    #[command(flatten)]
    schedule: ScheduleOptions,
    /// Move the items to the dead queue instead of requeueing them. Without a dead queue, they are deleted.
    #[arg(long, conflicts_with_all = ["at", "delay"])]
    dead: bool,
    #[command(flatten)]
    failed: ReportedFailure,
}

/// What failed. The server classifies it and records it with the attempt, which becomes part of the letter if the item
/// dies.
#[derive(Debug, clap::Args)]
struct ReportedFailure {
    /// Error of the attempt: the server classifies it, and a letter of the item shows it.
    #[arg(long, value_name = "TEXT")]
    error: Option<String>,
    /// Error type, as in connection.reset or TimeoutError.
    #[arg(long, value_name = "NAME")]
    error_type: Option<Kind>,
    /// HTTP status of the response, 100 to 599.
    #[arg(long, value_name = "STATUS", value_parser = within(100..=599_u16))]
    http: Option<u16>,
}

impl ReportedFailure {
    /// The failure as a message to the server, if one was given.
    fn fault(&self) -> Option<Fault> {
        let Self { error, error_type, http } = self;
        let is_given = error.is_some() || error_type.is_some() || http.is_some();
        is_given.then(|| Fault {
            error: error.clone().unwrap_or_default(),
            error_type: error_type.as_ref().map(ToString::to_string).unwrap_or_default(),
            http_status: http.map(i32::from),
            ..Fault::default()
        })
    }
}

/// A line of `--output json`.
#[derive(Debug, Serialize)]
struct RetriedItem<'r> {
    id: &'r str,
    queue_name: &'r str,
    outcome: &'r str,
    at: Option<Timestamp>,
    moved_to: Option<&'r str>,
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let verb = if arguments.dead {
        Verb::DeadLetter(DeadLetter { why: "exhausted".to_owned() })
    } else {
        Verb::Retry(Retry { at: arguments.schedule.time(), ..Retry::default() })
    };
    let fault = arguments.failed.fault();
    let mut retried = RetriedItems { session: &session, queue: &arguments.items.queue, counts: BTreeMap::new() };
    let mut batches = arguments.items.batches(&session)?;
    let outcome = loop {
        match batches.next().await {
            Ok(Some(batch)) => {
                if let Err(error) = retried.send(batch, &verb, fault.as_ref()).await {
                    break Err(error);
                }
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    // Also after an error: the items before it are settled.
    if session.format == Format::Table {
        retried.report();
    }
    outcome
}

struct RetriedItems<'s> {
    session: &'s Session,
    queue: &'s str,
    /// The number of items by outcome and destination queue.
    counts: BTreeMap<(String, String), u64>,
}

impl RetriedItems<'_> {
    async fn send(&mut self, batch: Batch, verb: &Verb, fault: Option<&Fault>) -> Result<()> {
        let item =
            |id: &String| SettleItem { id: id.clone(), attempt: None, fault: fault.cloned(), verb: Some(verb.clone()) };
        let request = QueueSettleRequest {
            queue_name: self.queue.to_owned(),
            partition: Some(batch.partition),
            items: batch.ids.iter().map(item).collect(),
            stop_at_refused: true,
        };
        let settled = self.session.call_to_end(self.session.client.settle(&request)).await?;
        for (id, item) in batch.ids.iter().zip(settled.items) {
            if let Some(refused) = item.refused {
                let refused = ClientError::BadRequest(refused.into());
                return self.session.call_to_end(async { Err(refused) }).await;
            }
            self.add(id, item)?;
        }
        Ok(())
    }

    fn add(&mut self, id: &str, item: SettledItem) -> Result<()> {
        if self.session.format == Format::Json {
            let moved_to = (!item.moved_to.is_empty()).then_some(item.moved_to.as_str());
            let line = RetriedItem { id, queue_name: self.queue, outcome: &item.outcome, at: item.at, moved_to };
            writeln!(stdout(), "{}", serde_json::to_string(&line)?)?;
        }
        *self.counts.entry((item.outcome, item.moved_to)).or_default() += 1;
        Ok(())
    }

    fn report(&self) {
        for ((outcome, moved_to), count) in &self.counts {
            let items = items(*count);
            match outcome.as_str() {
                "moved" => say(format_args!("moved {items} to '{moved_to}'")),
                "dropped" => say(format_args!("dropped {items}: queue '{}' has no dead queue", self.queue)),
                "expired" => {
                    say(format_args!("dropped {items}: expired, and queue '{}' has no dead queue", self.queue));
                }
                "duplicate" => say(format_args!("dropped {items}: already in the dead queue")),
                "stranded" => say(format_args!("kept {items}: the dead queue of '{}' does not exist", self.queue)),
                outcome => say(format_args!("{outcome} {items}")),
            }
        }
    }
}
