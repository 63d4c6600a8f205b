//! `redrive letters archive`.

use anyhow::Result;
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
    let queue = session.client.letters(&arguments.letters.queue);
    let done = arguments.letters.each(session, "archived", async |ids| queue.archive(ids).await).await?;
    let data = json!({ "queue_name": queue.queue_name(), "archived": done });
    session.report(&format!("archived {} of '{}'", letters(done), queue.queue_name()), &data)
}
