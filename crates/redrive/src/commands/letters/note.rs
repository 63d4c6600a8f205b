//! `redrive letters note`.

use anyhow::Result;
use serde_json::json;

use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters note orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz 'asked the bank' --tag waiting --tag bank")]
pub(crate) struct Arguments {
    queue: String,
    /// The letter, by its id or its source id.
    id: String,
    /// What is to be remembered.
    #[arg(required_unless_present = "tag", default_value = "", hide_default_value = true)]
    text: String,
    /// A word to find it by; may be given again.
    #[arg(long, value_name = "TEXT")]
    tag: Vec<String>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Arguments { queue, id, text, tag } = arguments;
    let note = session.ask(session.client.letters(queue).annotate(id, text, tag.clone())).await?;
    let data = json!({ "queue_name": queue, "id": id, "text": note.text, "tags": note.tags, "author": note.author,
        "at": note.at });
    session.report(&format!("wrote it down with letter {id} of '{queue}'"), &data)
}
