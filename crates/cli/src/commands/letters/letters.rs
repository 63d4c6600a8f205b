//! The subcommands of `redrive letters`.

use anyhow::Result;

use super::{
    archive, bulk, capture, configure, edit, explain, export, groups, import, list, note, process, purge, restore,
    resume, retry, show, stats, templates,
};
use crate::cli_error::CliError;
use crate::session::Session;
use crate::values::parse_reason;

/// The stable part of the server's message about a call that reveals something and has no reason. Only a filter can do so
/// without an option of the command.
const REASON_REQUIRED: &str = "reason is required";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    /// Reason in any script, which the server writes to the audit record: one line of up to 512 bytes. Required for bulk,
    /// --group, export, show --reveal, and an edit in an editor.
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
    /// Retry, resume, archive, restore or purge all letters that match, after a confirmation.
    Bulk(bulk::Arguments),
    /// Same as: bulk purge.
    #[command(hide = true)]
    Clear(bulk::Scope),
    /// Export letters with payloads, attempts and notes, one JSON object per line.
    Export(export::Arguments),
    /// Import exported letters. They keep their ids.
    Import(import::Arguments),
    /// Show what a queue can set for its letters and what is set, or change it.
    Configure(configure::Arguments),
    /// Manage templates, which set category, policy and destination of matching failures.
    #[command(visible_alias = "template")]
    Templates(templates::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let session = match &arguments.reason {
        Some(reason) => session.with_reason(reason)?,
        None => session,
    };
    let has_reason = arguments.reason.is_some();
    let done = act(&arguments.action, has_reason, &session).await;
    match done {
        Err(error) if error.to_string().starts_with(REASON_REQUIRED) => {
            let error = CliError::usage("a filter over headers or key reveals them and needs a reason");
            Err(error.remedy("give it with --reason TEXT; the server writes it to the audit record").into())
        }
        done => done,
    }
}

async fn act(action: &Action, has_reason: bool, session: &Session) -> Result<()> {
    match action {
        Action::List(arguments) => list::run(arguments, session).await,
        Action::Show(shown) => show::run(shown, has_reason, session).await,
        Action::Groups(arguments) => groups::run(arguments, session).await,
        Action::Retry(retry) => retry::run(retry, has_reason, session).await,
        Action::Resume(resume) => resume::run(resume, has_reason, session).await,
        Action::Process(arguments) => process::run(arguments, session).await,
        Action::StartProcessor(arguments) => process::start(arguments, session).await,
        Action::StopProcessor(arguments) => process::stop(arguments, session).await,
        Action::Archive(archive) => archive::run(archive, has_reason, session).await,
        Action::Restore(restore) => restore::run(restore, has_reason, session).await,
        Action::Edit(edit) => edit::run(edit, has_reason, session).await,
        Action::Note(arguments) => note::run(arguments, has_reason, session).await,
        Action::Purge(purge) => purge::run(purge, has_reason, session).await,
        Action::Capture(arguments) => capture::run(arguments, session).await,
        Action::Explain(arguments) => explain::run(arguments, session).await,
        Action::Stats(arguments) => stats::run(arguments, session).await,
        Action::Export(export) => export::run(export, has_reason, session).await,
        Action::Import(arguments) => import::run(arguments, session).await,
        Action::Bulk(bulk) => bulk::run(bulk, has_reason, session).await,
        Action::Clear(scope) => bulk::act(bulk::Action::Purge, scope, has_reason, session).await,
        Action::Configure(arguments) => configure::run(arguments, session).await,
        Action::Templates(arguments) => templates::run(arguments, session).await,
    }
}
