//! `redrive letters restore`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersRestoreRequest;
use serde_json::json;

use super::bulk;
use super::letter_selection::{GroupConfirmation, LetterSelection};
use crate::console::letters;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters restore orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive letters restore orders-dead --group 489d256cf7c4a1e5f262f84f7e4f6faa --dry-run
  redrive letters list orders-dead -s archived -j | redrive letters restore orders-dead -")]
pub(crate) struct Arguments {
    #[command(flatten)]
    letters: LetterSelection,
    #[command(flatten)]
    confirmation: GroupConfirmation,
}

pub(super) async fn run(arguments: &Arguments, has_reason: bool, session: &Session) -> Result<()> {
    if let Some(scope) = arguments.letters.group(arguments.confirmation.yes, session).await? {
        return bulk::execute(bulk::Action::Restore, &scope, has_reason, session).await;
    }
    let queue = &arguments.letters.queue;
    let call = async |ids| {
        let request = LettersRestoreRequest { queue_name: queue.clone(), ids };
        session.client.restore_letters(&request).await.map(|answer| answer.changed)
    };
    let done = arguments.letters.each(session, "restored", call).await?;
    let data = json!({ "queue_name": queue, "restored": done });
    session.report(&format!("restored {} of '{}'", letters(done), queue), &data)
}
