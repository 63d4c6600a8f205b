//! `redrive letters note`.

use anyhow::{Context, Result};
use redrive_client::proto::redrive::v1::{Letter, LettersAnnotateRequest};
use redrive_core::Status;
use serde_json::json;

use super::group::{GroupName, parse_group};
use super::group_walk::GroupWalk;
use crate::cli_error::CliError;
use crate::session::Session;

#[derive(clap::Args)]
#[command(
    override_usage = "redrive letters note [OPTIONS] <QUEUE> <ID> [TEXT]\n       redrive letters note [OPTIONS] <QUEUE> --group <FINGERPRINT> [TEXT]",
    after_help = "Examples:
  redrive letters note orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz 'asked the bank' --tag waiting
  redrive letters note orders-dead --group 489d256cf7c4 'asked the bank' --yes --reason 'incident 17'"
)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Letter id or source id. With --group, the text of the note.
    id: Option<String>,
    /// Text of the note. Optional with --tag.
    text: Option<String>,
    /// All live letters of this group: a fingerprint or its beginning, as letters groups prints it.
    #[arg(long, value_name = "FINGERPRINT", value_parser = parse_group)]
    group: Option<GroupName>,
    /// Tag of the note. Repeatable.
    #[arg(long, value_name = "TEXT")]
    tag: Vec<String>,
    /// With --group: show what would be done, and change nothing.
    #[arg(long, requires = "group")]
    dry_run: bool,
    /// With --group: do not prompt for confirmation.
    #[arg(long, requires = "group")]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let (id, text) = arguments.id_and_text()?;
    let request = |id: &str| LettersAnnotateRequest {
        queue_name: arguments.queue.clone(),
        id: id.to_owned(),
        text: text.to_owned(),
        tags: arguments.tag.clone(),
    };
    if let Some(group) = &arguments.group {
        let live: Vec<Status> = Status::ALL.iter().copied().filter(|status| status.is_live()).collect();
        let walk = GroupWalk {
            queue: &arguments.queue,
            group,
            statuses: &live,
            verb: "annotate",
            participle: "annotated",
            is_confirmed: arguments.yes,
            is_dry_run: arguments.dry_run,
        };
        let annotate = async |letter: &Letter| session.client.annotate_letter(&request(&letter.id)).await.map(drop);
        return walk.each(session, annotate).await;
    }
    let note = session.call(session.client.annotate_letter(&request(id))).await?.note;
    let note = note.context("the server's answer contains no note")?;
    let queue = &arguments.queue;
    let data = json!({ "queue_name": queue, "id": id, "text": note.text, "tags": note.tags, "author": note.author,
        "at": note.at });
    session.report(&format!("added a note to letter {id} of '{queue}'"), &data)
}

impl Arguments {
    /// The id, which is empty with `--group`, and the text of the note, which is empty if there are only tags.
    fn id_and_text(&self) -> Result<(&str, &str), CliError> {
        let (id, text) = match (&self.group, self.id.as_deref(), self.text.as_deref()) {
            (None, None, _) => return Err(CliError::usage("a note needs the id of a letter, or --group FINGERPRINT")),
            (None, Some(id), text) => (id, text.unwrap_or_default()),
            (Some(_), text, None) => ("", text.unwrap_or_default()),
            (Some(_), _, Some(_)) => return Err(CliError::usage("--group cannot be combined with the id of a letter")),
        };
        if text.is_empty() && self.tag.is_empty() {
            return Err(CliError::usage("a note needs a text, or a tag with --tag TEXT"));
        }
        Ok((id, text))
    }
}
