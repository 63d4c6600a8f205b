//! `redrive letters runs`, `run`, `continue` and `cancel`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{LettersCancelRequest, LettersRun, LettersRunRequest, LettersRunsRequest};

use super::follow::{details, follow, is_active, json_of, report, started};
use super::run_options::RunOptions;
use crate::console::{Column, Format, Lines, or_dash, relative};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive letters runs orders-dead")]
pub(crate) struct ListArguments {
    /// Queue name.
    queue: String,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters run orders-dead 3M8tPkoQdsbriKxbeJ4v09PGmsM
  redrive letters run orders-dead 3M8tPkoQdsbriKxbeJ4v09PGmsM --output json")]
pub(crate) struct RunArguments {
    /// Queue name.
    queue: String,
    /// Id of the run.
    id: String,
    /// Do not wait for the end of the run.
    #[arg(long)]
    now: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive letters continue orders-dead 3M8tPkoQdsbriKxbeJ4v09PGmsM --reason 'the bank is back'")]
pub(crate) struct ContinueArguments {
    /// Queue name.
    queue: String,
    /// Id of the run.
    id: String,
    #[command(flatten)]
    run: RunOptions,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive letters cancel orders-dead 3M8tPkoQdsbriKxbeJ4v09PGmsM")]
pub(crate) struct CancelArguments {
    /// Queue name.
    queue: String,
    /// Id of the run.
    id: String,
}

const COLUMNS: &[Column] = &[
    Column::text("RUN"),
    Column::text("ACTION"),
    Column::text("STATE"),
    Column::number("LETTERS"),
    Column::number("CHANGED"),
    Column::number("SKIPPED"),
    Column::number("FAILED"),
    Column::number("REMAINING"),
    Column::text("PLANNED").from(110),
    Column::text("USER").from(120),
    Column::text("CAUSE").cut(10),
];

pub(in crate::commands::letters) async fn list(arguments: &ListArguments, session: &Session) -> Result<()> {
    let mut lines = Lines::fitted(session.format, COLUMNS);
    let mut before = String::new();
    loop {
        let request = LettersRunsRequest { queue_name: arguments.queue.clone(), limit: 100, before };
        let page = session.call(session.client.letter_runs(&request)).await?;
        page.runs.iter().try_for_each(|run| lines.push(|| row(run), &json_of(run, &Default::default())))?;
        match page.runs.last().filter(|_| page.more) {
            Some(last) => before = last.id.clone(),
            None => break,
        }
    }
    lines.finish()
}

fn row(run: &LettersRun) -> Vec<String> {
    let planned = relative(run.planned_at, None);
    let numbers = [run.letters, run.changed, run.skipped, run.failed, run.remaining].map(|number| number.to_string());
    let mut row = vec![run.id.clone(), run.action.clone(), run.state.clone()];
    row.extend(numbers);
    row.extend([planned, or_dash(&run.user_name).to_owned(), or_dash(&run.cause).to_owned()]);
    row
}

/// Shows a run, and follows it if it is not over.
pub(in crate::commands::letters) async fn show(arguments: &RunArguments, session: &Session) -> Result<()> {
    let request = LettersRunRequest {
        queue_name: arguments.queue.clone(),
        id: arguments.id.clone(),
        ..LettersRunRequest::default()
    };
    let run = session.call(session.client.letter_run(&request)).await?.run.unwrap_or_default();
    if is_active(&run) && !arguments.now {
        return follow(run, session).await;
    }
    let found = match session.format {
        Format::Json => details(&run, session).await?,
        Format::Table => Default::default(),
    };
    report(&run, &found, session)
}

pub(in crate::commands::letters) async fn resume(arguments: &ContinueArguments, session: &Session) -> Result<()> {
    session.require_reason("to continue a run needs a reason")?;
    let confirm = arguments.run.confirm(&arguments.queue, &arguments.id);
    let run = session.call_to_end(session.client.confirm_letters(&confirm)).await?;
    if arguments.run.detach { started(&run, session) } else { follow(run, session).await }
}

pub(in crate::commands::letters) async fn cancel(arguments: &CancelArguments, session: &Session) -> Result<()> {
    let request = LettersCancelRequest { queue_name: arguments.queue.clone(), id: arguments.id.clone() };
    let run = session.call_to_end(session.client.cancel_letters(&request)).await?;
    report(&run, &Default::default(), session)
}
