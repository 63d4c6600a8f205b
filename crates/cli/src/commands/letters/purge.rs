//! `redrive letters purge`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersPurgeRequest;

use super::bulk;
use super::letter_selection::LetterSelection;
use crate::console::letters;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters purge orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --yes --reason 'a test'
  redrive letters purge orders-dead --group 489d256cf7c4 --dry-run
  redrive letters list orders-dead -s archived -j | redrive letters purge orders-dead - --yes --reason 'a test'")]
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
    session.require_reason("a purge of letters needs a reason")?;
    let queue = &arguments.letters.queue;
    let (selected, count) = arguments.letters.read_all(session).await?;
    let question = format!("permanently delete {} of '{queue}'", letters(count));
    if count > 0 && !session.is_confirmed(question, is_given).await? {
        return Ok(());
    }
    let purge = async |ids| {
        let request = LettersPurgeRequest { queue_name: queue.clone(), ids };
        session.client.purge_letters(&request).await.map(|answer| answer.changed)
    };
    selected.change(bulk::Action::Purge, session, purge).await
}
