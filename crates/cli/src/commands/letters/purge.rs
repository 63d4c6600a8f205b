//! `redrive letters purge`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersPurgeRequest;

use super::bulk;
use super::letter_selection::LetterSelection;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters purge orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --yes --reason 'a test'
  redrive letters purge orders-dead --group 489d256cf7c4 --dry-run
  redrive letters list orders-dead -s archived -j | redrive letters purge orders-dead - --yes")]
pub(crate) struct Arguments {
    #[command(flatten)]
    letters: LetterSelection,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
    /// Same as --yes.
    #[arg(short, long)]
    force: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let is_given = arguments.yes || arguments.force;
    if let Some(scope) = arguments.letters.group(is_given, session).await? {
        return bulk::execute(bulk::Action::Purge, &scope, session).await;
    }
    let queue = &arguments.letters.queue;
    if !session.is_confirmed(format!("permanently delete these letters from '{queue}'"), is_given).await? {
        return Ok(());
    }
    let purge = async |ids| {
        let request = LettersPurgeRequest { queue_name: queue.clone(), ids };
        session.client.purge_letters(&request).await.map(|answer| answer.changed)
    };
    arguments.letters.change(bulk::Action::Purge, session, purge).await
}
