//! The subcommands of `redrive letters`.

use anyhow::Result;

use super::{
    archive, bulk, capture, configure, edit, explain, export, groups, import, list, note, process, purge, resume,
    retry, show, stats, templates,
};
use crate::session::Session;
use crate::values::parse_reason;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    /// Reason in any script, which the server writes to the audit record: one line of up to 512 bytes. Required for
    /// purge, bulk, --group, export, show --reveal, and an edit in an editor.
    #[arg(long, global = true, value_name = "TEXT", value_parser = parse_reason)]
    reason: Option<String>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List letters, the newest first.
    List(list::Arguments),
    /// Show a letter with its attempts and notes, and with --reveal its payload.
    Show(show::Arguments),
    /// Group live letters by fingerprint, with a sample error.
    Groups(groups::Arguments),
    /// Retry letters now, regardless of their schedule.
    Retry(retry::Arguments),
    /// Give exhausted letters their retries back, for example after an outage of their destination.
    Resume(resume::Arguments),
    /// Show, start, stop, pause or resume the automatic retries of a queue.
    Process(process::Arguments),
    /// Same as: process QUEUE start.
    #[command(hide = true)]
    StartProcessor {
        /// Queue name.
        queue: String,
        #[command(flatten)]
        options: process::StartOptions,
    },
    /// Same as: process QUEUE stop.
    #[command(hide = true)]
    StopProcessor {
        /// Queue name.
        queue: String,
    },
    /// Archive letters. Archived letters are not retried.
    #[command(after_help = "Examples:
  redrive letters archive orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --reason 'account closed'
  redrive letters archive orders-dead --group 489d256cf7c4 --yes --reason 'account closed'
  redrive letters list orders-dead -s exhausted -j | redrive letters archive orders-dead -")]
    Archive(archive::Arguments),
    /// Restore archived letters to their previous status.
    #[command(visible_alias = "unarchive")]
    #[command(after_help = "Examples:
  redrive letters restore orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive letters restore orders-dead --group 489d256cf7c4a1e5f262f84f7e4f6faa --dry-run
  redrive letters list orders-dead -s archived -j | redrive letters restore orders-dead -")]
    Restore(archive::Arguments),
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
    /// Retry, resume, archive, restore or purge all letters that match, after a confirmation.
    Bulk(bulk::Arguments),
    /// Same as: bulk purge.
    #[command(hide = true)]
    Clear(bulk::Scope),
    /// List the plans and runs of a queue, the newest first.
    Runs(bulk::ListArguments),
    /// Show a run, and follow it until it has ended.
    Run(bulk::RunArguments),
    /// Continue a run that gave up or was stopped.
    Continue(bulk::ContinueArguments),
    /// Cancel a run. What it has done stays.
    Cancel(bulk::CancelArguments),
    /// Export letters with payloads, attempts and notes, one JSON object per line.
    Export(export::Arguments),
    /// Import exported letters. They keep their ids.
    Import(import::Arguments),
    /// Show what a queue can set for its letters and what is set, or change it.
    Configure(configure::Arguments),
    /// Manage templates, which set category, policy and destination of matching failures.
    #[command(subcommand, visible_alias = "template")]
    Templates(templates::Action),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let session = session.with_reason(arguments.reason.as_deref())?;
    let session = &session;
    match &arguments.action {
        Action::List(arguments) => list::run(arguments, session).await,
        Action::Show(arguments) => show::run(arguments, session).await,
        Action::Groups(arguments) => groups::run(arguments, session).await,
        Action::Retry(arguments) => retry::run(arguments, session).await,
        Action::Resume(arguments) => resume::run(arguments, session).await,
        Action::Process(arguments) => process::run(arguments, session).await,
        Action::StartProcessor { queue, options } => {
            process::process(queue, Some(process::Action::Start), options, session).await
        }
        Action::StopProcessor { queue } => {
            process::process(queue, Some(process::Action::Stop), &process::StartOptions::default(), session).await
        }
        Action::Archive(arguments) => archive::archive(arguments, session).await,
        Action::Restore(arguments) => archive::restore(arguments, session).await,
        Action::Edit(arguments) => edit::run(arguments, session).await,
        Action::Note(arguments) => note::run(arguments, session).await,
        Action::Purge(arguments) => purge::run(arguments, session).await,
        Action::Capture(arguments) => capture::run(arguments, session).await,
        Action::Explain(arguments) => explain::run(arguments, session).await,
        Action::Stats(arguments) => stats::run(arguments, session).await,
        Action::Export(arguments) => export::run(arguments, session).await,
        Action::Import(arguments) => import::run(arguments, session).await,
        Action::Bulk(bulk) => bulk::act(bulk.action, &bulk.scope, session).await,
        Action::Clear(scope) => bulk::act(bulk::Action::Purge, scope, session).await,
        Action::Runs(arguments) => bulk::list(arguments, session).await,
        Action::Run(arguments) => bulk::show(arguments, session).await,
        Action::Continue(arguments) => bulk::resume(arguments, session).await,
        Action::Cancel(arguments) => bulk::cancel(arguments, session).await,
        Action::Configure(arguments) => configure::run(arguments, session).await,
        Action::Templates(action) => templates::run(action, session).await,
    }
}
