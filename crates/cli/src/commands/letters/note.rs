//! `redrive letters note`.

use anyhow::{Context, Result};
use redrive_client::proto::redrive::v1::LettersAnnotateRequest;
use serde_json::json;

use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters note orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz 'asked the bank' --tag waiting --tag bank")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Letter id or source id.
    id: String,
    /// Text of the note. Optional with --tag.
    #[arg(required_unless_present = "tag", default_value = "", hide_default_value = true)]
    text: String,
    /// Tag of the note. Repeatable.
    #[arg(long, value_name = "TEXT")]
    tag: Vec<String>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Arguments { queue, id, text, tag } = arguments;
    let (queue_name, tags) = (queue.clone(), tag.clone());
    let request = LettersAnnotateRequest { queue_name, id: id.clone(), text: text.clone(), tags };
    let note = session.call(session.client.annotate_letter(&request)).await?.note;
    let note = note.context("the server's answer contains no note")?;
    let data = json!({ "queue_name": queue, "id": id, "text": note.text, "tags": note.tags, "author": note.author,
        "at": note.at });
    session.report(&format!("added a note to letter {id} of '{queue}'"), &data)
}
