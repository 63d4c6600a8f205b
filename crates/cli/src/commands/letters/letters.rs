//! The subcommands of `redrive letters`.

use anyhow::Result;

use super::{
    archive, bulk, capture, configure, edit, explain, export, groups, import, list, note, process, purge, restore,
    retry, show, stats, templates,
};
use crate::console::Format;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    /// Same as --output json.
    #[arg(short, long, global = true)]
    json: bool,
    /// Reason, which the server writes to the audit record. Required for bulk, export and show --reveal.
    #[arg(long, global = true, value_name = "TEXT")]
    reason: Option<String>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List letters in the order of their capture.
    List(list::Arguments),
    /// Show a letter with its attempts and notes, and with --reveal its payload.
    Show(show::Arguments),
    /// Group live letters by fingerprint, with counts.
    Groups(groups::Arguments),
    /// Retry letters now, regardless of their schedule.
    Retry(retry::Arguments),
    /// Show, start, stop, pause or resume the automatic retries of a queue.
    Process(process::Arguments),
    /// Same as: process QUEUE start.
    #[command(hide = true)]
    StartProcessor(process::Start),
    /// Same as: process QUEUE stop.
    #[command(hide = true)]
    StopProcessor(process::Stop),
    /// Archive letters. Archived letters are not retried.
    Archive(archive::Arguments),
    /// Restore archived letters to their previous status.
    #[command(visible_alias = "unarchive")]
    Restore(restore::Arguments),
    /// Edit the payload, the headers, the retry policy or the priority of a letter.
    Edit(edit::Arguments),
    /// Add a note to a letter.
    #[command(visible_alias = "annotate")]
    Note(note::Arguments),
    /// Delete letters permanently.
    Purge(purge::Arguments),
    /// Capture failures as letters.
    Capture(Box<capture::Arguments>),
    /// Explain how a failure would be classified and retried in a queue.
    Explain(explain::Arguments),
    /// Show the statistics of the letters of a queue.
    #[command(visible_alias = "status")]
    Stats(stats::Arguments),
    /// Retry, archive or purge all letters that match, after a confirmation.
    Bulk(bulk::Arguments),
    /// Same as: bulk purge.
    #[command(hide = true)]
    Clear(bulk::Scope),
    /// Export letters with payloads, attempts and notes, one JSON object per line.
    Export(export::Arguments),
    /// Import exported letters. They keep their ids.
    Import(import::Arguments),
    /// Show or change the letter settings of a queue.
    Configure(configure::Arguments),
    /// Manage templates, which set category, policy and destination of matching failures.
    #[command(visible_alias = "template")]
    Templates(templates::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let format = if arguments.json { Format::Json } else { session.format };
    let session = Session { format, ..session };
    let session = match &arguments.reason {
        Some(reason) => session.with_reason(reason)?,
        None => session,
    };
    match &arguments.action {
        Action::List(arguments) => list::run(arguments, &session).await,
        Action::Show(shown) => show::run(shown, arguments.reason.is_some(), &session).await,
        Action::Groups(arguments) => groups::run(arguments, &session).await,
        Action::Retry(arguments) => retry::run(arguments, &session).await,
        Action::Process(arguments) => process::run(arguments, &session).await,
        Action::StartProcessor(arguments) => process::start(arguments, &session).await,
        Action::StopProcessor(arguments) => process::stop(arguments, &session).await,
        Action::Archive(arguments) => archive::run(arguments, &session).await,
        Action::Restore(arguments) => restore::run(arguments, &session).await,
        Action::Edit(arguments) => edit::run(arguments, &session).await,
        Action::Note(arguments) => note::run(arguments, &session).await,
        Action::Purge(arguments) => purge::run(arguments, &session).await,
        Action::Capture(arguments) => capture::run(arguments, &session).await,
        Action::Explain(arguments) => explain::run(arguments, &session).await,
        Action::Stats(arguments) => stats::run(arguments, &session).await,
        Action::Export(export) => export::run(export, arguments.reason.is_some(), &session).await,
        Action::Import(arguments) => import::run(arguments, &session).await,
        Action::Bulk(bulk) => bulk::run(bulk, arguments.reason.is_some(), &session).await,
        Action::Clear(scope) => bulk::act(bulk::Action::Purge, scope, arguments.reason.is_some(), &session).await,
        Action::Configure(arguments) => configure::run(arguments, &session).await,
        Action::Templates(arguments) => templates::run(arguments, &session).await,
    }
}
