//! `redrive letters restore`.

use anyhow::Result;
use serde_json::json;

use super::letter_selection::LetterSelection;
use crate::console::letters;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters restore orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive letters list orders-dead -s archived --output json | redrive letters restore orders-dead -")]
pub(crate) struct Arguments {
    #[command(flatten)]
    letters: LetterSelection,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let queue = session.client.letters(&arguments.letters.queue);
    let done = arguments.letters.each(session, "restored", async |ids| queue.restore(ids).await).await?;
    let data = json!({ "queue_name": queue.queue_name(), "restored": done });
    session.report(&format!("restored {} of '{}'", letters(done), queue.queue_name()), &data)
}
