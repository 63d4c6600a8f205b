//! `redrive letters archive`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersArchiveRequest;
use serde_json::json;

use super::bulk;
use super::letter_selection::{GroupConfirmation, LetterSelection};
use crate::console::letters;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters archive orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --reason 'account closed'
  redrive letters archive orders-dead --group 489d256cf7c4 --yes --reason 'account closed'
  redrive letters list orders-dead -s exhausted -j | redrive letters archive orders-dead -")]
pub(crate) struct Arguments {
    #[command(flatten)]
    letters: LetterSelection,
    #[command(flatten)]
    confirmation: GroupConfirmation,
}

pub(super) async fn run(arguments: &Arguments, has_reason: bool, session: &Session) -> Result<()> {
    if let Some(scope) = arguments.letters.group(arguments.confirmation.yes, session).await? {
        return bulk::execute(bulk::Action::Archive, &scope, has_reason, session).await;
    }
    let queue = &arguments.letters.queue;
    let call = async |ids| {
        let request = LettersArchiveRequest { queue_name: queue.clone(), ids };
        session.client.archive_letters(&request).await.map(|answer| answer.changed)
    };
    let done = arguments.letters.each(session, "archived", call).await?;
    let data = json!({ "queue_name": queue, "archived": done });
    session.report(&format!("archived {} of '{}'", letters(done), queue), &data)
}
