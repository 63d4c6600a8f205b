//! The subcommands of `redrive search`.

use anyhow::Result;
use serde_json::json;

use super::{restore, status};
use crate::commands::identity::Audited;
use crate::console::{Progress, letters, say};
use crate::session::Session;

pub(crate) type Arguments = Audited<Action>;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Show the state of the index: pending changes, lag and errors.
    #[command(after_help = "Examples:
  redrive search status
  redrive search status --json")]
    Status,
    /// Rebuild the index from the store, without downtime.
    #[command(after_help = "Example:
  redrive search rebuild --reason 'the mapping has changed'")]
    Rebuild,
    /// Restore letters from the index into a store without letters.
    Restore(restore::Arguments),
}

pub(crate) async fn run(action: &Action, session: &Session) -> Result<()> {
    match action {
        Action::Status => status::run(session).await,
        Action::Rebuild => rebuild(session).await,
        Action::Restore(arguments) => restore::run(arguments, session).await,
    }
}

async fn rebuild(session: &Session) -> Result<()> {
    let rebuilt = {
        // The server does not report progress during a rebuild, so this is only a spinner.
        let _progress = Progress::new("rebuilding the index", None);
        session.call(session.client.rebuild_index()).await?
    };
    if !rebuilt.left_aside.is_empty() {
        say(format_args!("index '{}' belongs to another store and was not changed", rebuilt.left_aside));
    }
    let count = u64::try_from(rebuilt.letters).unwrap_or_default();
    let message = format!("rebuilt index '{}' with {}; it matches the store", rebuilt.index, letters(count));
    let data = json!({
        "index": rebuilt.index,
        "letters": rebuilt.letters,
        "digest": rebuilt.digest,
        "left_aside": rebuilt.left_aside,
    });
    session.report(&message, &data)
}
