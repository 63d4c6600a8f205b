//! `redrive letters archive`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersArchiveRequest;
use serde_json::json;

use super::letter_selection::LetterSelection;
use crate::console::letters;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters archive orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --reason 'account closed'
  redrive letters list orders-dead -s exhausted --output json | redrive letters archive orders-dead -")]
pub(crate) struct Arguments {
    #[command(flatten)]
    letters: LetterSelection,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let queue = &arguments.letters.queue;
    let call = async |ids| {
        let request = LettersArchiveRequest { queue_name: queue.clone(), ids };
        session.client.archive_letters(&request).await.map(|answer| answer.changed)
    };
    let done = arguments.letters.each(session, "archived", call).await?;
    let data = json!({ "queue_name": queue, "archived": done });
    session.report(&format!("archived {} of '{}'", letters(done), queue), &data)
}
