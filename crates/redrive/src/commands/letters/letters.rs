//! The commands that there are.

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
    /// The same as --output json.
    #[arg(short, long, global = true)]
    json: bool,
    /// Why it is done: kept with the record of whatever changes something, or shows a payload.
    #[arg(long, global = true, value_name = "TEXT")]
    reason: Option<String>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List letters, in the order in which they came.
    List(list::Arguments),
    /// Show one letter with its attempts and notes; its payload only by --reveal.
    Show(show::Arguments),
    /// List the faults that live letters have, with how many there are of each.
    Groups(groups::Arguments),
    /// Try letters now, whatever their schedule says.
    Retry(retry::Arguments),
    /// Look at what retries letters by themselves; start, stop, pause or resume it.
    Process(process::Arguments),
    /// The same as `process QUEUE start`.
    #[command(hide = true)]
    StartProcessor(process::Start),
    /// The same as `process QUEUE stop`.
    #[command(hide = true)]
    StopProcessor(process::Stop),
    /// Put letters away: nothing retries them.
    Archive(archive::Arguments),
    /// Bring archived letters back to what they were.
    #[command(visible_alias = "unarchive")]
    Restore(restore::Arguments),
    /// Change the payload or the headers of a letter, or how it is retried.
    Edit(edit::Arguments),
    /// Write something down with a letter.
    #[command(visible_alias = "annotate")]
    Note(note::Arguments),
    /// Remove letters for good.
    Purge(purge::Arguments),
    /// Keep a failure as a letter.
    Capture(Box<capture::Arguments>),
    /// Say what would become of a failure in this queue.
    Explain(explain::Arguments),
    /// Show the numbers of a queue's letters.
    #[command(visible_alias = "status")]
    Stats(stats::Arguments),
    /// Retry, archive or purge all letters that match, after a look at how many they are.
    Bulk(bulk::Arguments),
    /// The same as `bulk purge`.
    #[command(hide = true)]
    Clear(bulk::Scope),
    /// Write whole letters, a line of JSON each: payloads, attempts and notes included.
    Export(export::Arguments),
    /// Put exported letters back, under their own ids.
    Import(import::Arguments),
    /// Look at how a queue treats its letters, or change it.
    Configure(configure::Arguments),
    /// List, set, remove and preview what letters of failures of known kinds get.
    #[command(visible_alias = "template")]
    Templates(templates::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let format = if arguments.json { Format::Json } else { session.format };
    let session = Session { format, ..session };
    let session = match &arguments.reason {
        Some(reason) => session.because(reason)?,
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
