//! The arguments of `redrive status`, and its loop with `--watch`.

use std::io::{IsTerminal, Write, stdout};
use std::time::Duration;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{StatusGetRequest, StatusGetResponse};

use super::overview::Overview;
use super::screen::Screen;
use super::status_line::status_line;
use crate::cli_error::CliError;
use crate::console::{Format, output_width};
use crate::session::{Interrupt, Session};
use crate::values::within;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive status
  redrive status --namespace shop --limit 20
  redrive status --output json")]
pub(crate) struct Arguments {
    /// Namespace of the queues [default: that of the context, else all that the API key may read].
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
    /// First queue of the table.
    #[arg(long, value_name = "QUEUE")]
    from: Option<String>,
    /// Maximum queues in the table. Totals and what needs attention always cover all queues.
    #[arg(long, default_value_t = 50, value_name = "COUNT", value_parser = within(1..=1_000))]
    limit: i32,
    /// Redraw the overview every 2 seconds, or every SECONDS, until Ctrl-C.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "2", value_parser = within(1..=3_600_u64))]
    watch: Option<u64>,
}

pub(crate) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let request = StatusGetRequest {
        namespace: session.namespace_or(arguments.namespace.as_deref()),
        pivot: arguments.from.clone().unwrap_or_default(),
        limit: arguments.limit,
    };
    let every = arguments.watch.map(Duration::from_secs);
    match (every, session.format) {
        (None, _) => {
            let status = session.call(session.client.status(&request)).await?;
            let overview = Overview::new(&status, session.client.address());
            session.print(&status_line(&status), |out| Ok(out.write_all(overview.print(output_width())?.as_bytes())?))
        }
        (Some(every), Format::Json) => watch_lines(session, &request, every).await,
        (Some(every), Format::Table) if stdout().is_terminal() => watch_screen(session, &request, every).await,
        (Some(_), Format::Table) => {
            let error = CliError::usage("--watch redraws a terminal, and the output is not one");
            Err(error.remedy("print an object per interval with --output json, or omit --watch").into())
        }
    }
}

async fn watch_lines(session: &Session, request: &StatusGetRequest, every: Duration) -> Result<()> {
    loop {
        let status = session.call(session.client.status(request)).await?;
        writeln!(stdout(), "{}", status_line(&status))?;
        wait(session, every).await?;
    }
}

/// Draws frames until an interrupt. A server that is unreachable for a while, as during a restart, does not end it.
async fn watch_screen(session: &Session, request: &StatusGetRequest, every: Duration) -> Result<()> {
    let mut last: Option<StatusGetResponse> = None;
    let screen = Screen::clear()?;
    loop {
        let error = match session.call(session.client.status(request)).await {
            Ok(status) => {
                last = Some(status);
                None
            }
            Err(error) if last.is_some() && CliError::is_unreachable(&error) => Some(error),
            Err(error) => return Err(error),
        };
        let mut frame = match &error {
            Some(error) => format!("error: {error:#}\n  these numbers are old; the next attempt follows\n\n"),
            None => String::new(),
        };
        if let Some(status) = &last {
            frame += &Overview::new(status, session.client.address()).print(output_width())?;
        }
        screen.draw(&frame)?;
        wait(session, every).await?;
    }
}

async fn wait(session: &Session, every: Duration) -> Result<()> {
    match session.interrupt.or(tokio::time::sleep(every)).await {
        Some(()) => Ok(()),
        None => Err(Interrupt::error("interrupted").into()),
    }
}
