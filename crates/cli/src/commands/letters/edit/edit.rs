//! Changes a letter by options, or its payload in the user's editor.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use bytes::Bytes;
use redrive_client::proto::redrive::v1::{
    Content, Header, HeaderList, Letter, LettersEditRequest, LettersGetRequest, LettersGetResponse, LettersRetryRequest,
};
use redrive_core::{Priority, RetryPolicy, Status};

use super::editor::{self, EditedFile};
use super::payload_text::PayloadText;
use crate::cli_error::CliError;
use crate::commands::letters::group::{GroupName, parse_group};
use crate::commands::letters::group_walk::GroupWalk;
use crate::commands::letters::letter_line::LetterLine;
use crate::commands::letters::retry;
use crate::commands::payload::{parse_header, read_file};
use crate::console::{Format, diff, excerpt, say, shown_time};
use crate::exit::Exit;
use crate::session::Session;
use crate::values::{at_least, file_to_read, within};

/// Maximum number of lines of a difference that are shown, and of the characters of each.
const SHOWN_LINES: usize = 100;
const SHOWN_CHARS: usize = 200;

#[derive(clap::Args)]
#[command(
    after_help = "Without an option that changes something, the payload is opened in the editor of VISUAL or EDITOR; that
reveals it and needs --reason. JSON without white space is opened indented, and stored without it again.
Only pending and exhausted letters can be edited. The original content is kept.

Examples:
  redrive letters edit orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --reason 'case 9'
  redrive letters edit orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --payload-file order.json --retry
  redrive letters edit orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --retry-policy linear --max-retries 5
  redrive letters edit orders-dead --group 489d256cf7c4 --retry-policy linear --yes --reason 'incident 17'"
)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Letter id or source id.
    #[arg(required_unless_present = "group")]
    id: Option<String>,
    /// All pending and exhausted letters of this group: a fingerprint or its beginning, as letters groups prints it. Their
    /// payloads and headers cannot be changed together.
    #[arg(long, value_name = "FINGERPRINT", value_parser = parse_group,
        conflicts_with_all = ["id", "payload", "payload_file", "header", "no_headers", "revision", "retry"])]
    group: Option<GroupName>,
    /// New payload.
    #[arg(long, value_name = "TEXT", conflicts_with = "payload_file")]
    payload: Option<String>,
    /// File with the new payload, read byte for byte.
    #[arg(long, value_name = "FILE", value_parser = file_to_read())]
    payload_file: Option<PathBuf>,
    /// New header. Repeatable; the given headers replace all existing ones.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_header)]
    header: Vec<Header>,
    /// Remove all headers.
    #[arg(long, conflicts_with = "header")]
    no_headers: bool,
    /// New retry policy: never, linear, exponential, immediate, or custom (the custom_backoff of the queue).
    #[arg(long, value_name = "NAME")]
    retry_policy: Option<RetryPolicy>,
    /// New maximum of retries, including those already made: 0 to 100.
    #[arg(long, value_name = "N", value_parser = within(0..=100))]
    max_retries: Option<i32>,
    /// New priority: high, medium or low.
    #[arg(long, value_name = "NAME")]
    priority: Option<Priority>,
    /// Expected revision. If the letter has another revision, it is not changed [default: the current revision].
    #[arg(long, value_name = "NUMBER", value_parser = at_least(1_i64))]
    revision: Option<i64>,
    /// Retry the letter at once, and wait for the outcome.
    #[arg(long)]
    retry: bool,
    /// With --group: show what would be done, and change nothing.
    #[arg(long, requires = "group")]
    dry_run: bool,
    /// With --group: do not prompt for confirmation.
    #[arg(long, requires = "group")]
    yes: bool,
}

pub(in crate::commands::letters) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    if let Some(group) = &arguments.group {
        return arguments.edit_group(group, session).await;
    }
    let id = arguments.id.as_deref().unwrap_or_default();
    let edited = match arguments.changes(id)? {
        Some(request) => arguments.edit_by_options(request, session).await?,
        None => match arguments.edit_in_editor(id, session).await? {
            Some(edited) => edited,
            None => return Ok(()),
        },
    };
    match session.format {
        Format::Json => {
            let mut out = session.out();
            writeln!(out, "{}", serde_json::to_string(&LetterLine(&edited))?)?;
            out.flush()?;
        }
        Format::Table => {
            let next = shown_time(edited.next_retry_at);
            say(format_args!(
                "edited letter {} of '{}': revision {}, {}, next retry {next}",
                edited.id, arguments.queue, edited.revision, edited.status
            ));
        }
    }
    if arguments.retry { arguments.retry(&edited, session).await } else { Ok(()) }
}

impl Arguments {
    /// The changes of the options; `None` if there are none.
    fn changes(&self, id: &str) -> Result<Option<LettersEditRequest>> {
        let payload = match (&self.payload, &self.payload_file) {
            (Some(text), _) => Some(Bytes::from(text.clone())),
            (None, Some(file)) => Some(read_file(file)?.into()),
            (None, None) => None,
        };
        let edits_headers = self.no_headers || !self.header.is_empty();
        let is_nothing = payload.is_none()
            && !edits_headers
            && self.retry_policy.is_none()
            && self.max_retries.is_none()
            && self.priority.is_none();
        let request = LettersEditRequest {
            queue_name: self.queue.clone(),
            id: id.to_owned(),
            payload,
            headers: edits_headers.then(|| HeaderList { headers: self.header.clone() }),
            retry_policy: self.retry_policy.map(|policy| policy.to_string()).unwrap_or_default(),
            max_retries: self.max_retries,
            priority: self.priority.map(|priority| priority.to_string()).unwrap_or_default(),
            revision: self.revision.unwrap_or_default(),
        };
        Ok((!is_nothing).then_some(request))
    }

    async fn edit_by_options(&self, request: LettersEditRequest, session: &Session) -> Result<Letter> {
        let before = self.before(&request, session).await?;
        let letter = before.letter.unwrap_or_default();
        let revision = self.revision.unwrap_or(letter.revision);
        let request = LettersEditRequest { revision, ..request };
        if session.format == Format::Table
            && let Some(payload) = &request.payload
        {
            say_payloads(&before.content.unwrap_or_default(), payload);
        }
        let edited = session.call(session.client.edit_letter(&request)).await?.letter;
        let edited = edited.context("the server's answer contains no letter")?;
        if session.format == Format::Table {
            say_changes(&letter, &request, &edited);
        }
        Ok(edited)
    }

    /// The letter to edit, with its payload if the difference is to be shown. That reveals the payload, which needs a
    /// reason and a permission; an edit needs neither.
    async fn before(&self, request: &LettersEditRequest, session: &Session) -> Result<LettersGetResponse> {
        let get = |reveal| LettersGetRequest { queue_name: self.queue.clone(), id: request.id.clone(), reveal };
        if request.payload.is_some() && session.has_reason && session.format == Format::Table {
            let shown = session.call_if_allowed(session.client.get_letter(&get(true))).await?;
            if let Some(shown) = shown {
                return Ok(shown);
            }
        }
        session.call(session.client.get_letter(&get(false))).await
    }

    /// Lets the user edit the payload. `None` if it was not changed.
    async fn edit_in_editor(&self, id: &str, session: &Session) -> Result<Option<Letter>> {
        let Some(editor) = editor::command() else {
            let error = CliError::usage("no change is given, and there is no terminal for an editor");
            return Err(error.remedy("list the options with: redrive letters edit --help; or set EDITOR").into());
        };
        if !session.has_reason {
            let error = CliError::usage("an edit in an editor reveals the payload and needs a reason");
            return Err(error.remedy("give it with --reason TEXT; the server writes it to the audit record").into());
        }
        let get = LettersGetRequest { queue_name: self.queue.clone(), id: id.to_owned(), reveal: true };
        let shown = session.call(session.client.get_letter(&get)).await?;
        let letter = shown.letter.context("the server's answer contains no letter")?;
        // Not after the user's work.
        check_editable(&letter)?;
        let before = PayloadText::of(&shown.content.unwrap_or_default().payload)?;
        let mut file = EditedFile::new(&before.text, before.extension())?;
        let edited = before.edited(file.edit(&editor, &session.interrupt).await?)?;
        if edited == before.text {
            file.discard();
            say(format_args!("the payload of letter {} is unchanged", letter.id));
            return Ok(None);
        }
        let payload = Some(Bytes::from(before.payload(&edited)?));
        if session.format == Format::Table {
            say_difference(&before.text, &edited);
        }
        let revision = self.revision.unwrap_or(letter.revision);
        let (queue_name, id) = (self.queue.clone(), letter.id);
        let request = LettersEditRequest { queue_name, id, revision, payload, ..LettersEditRequest::default() };
        // A Ctrl-C in the editor is not an interrupt of this command.
        let answer = session.call_to_end(session.client.edit_letter(&request)).await?;
        file.discard();
        answer.letter.context("the server's answer contains no letter").map(Some)
    }

    async fn edit_group(&self, group: &GroupName, session: &Session) -> Result<()> {
        let Some(request) = self.changes("")? else {
            let error = CliError::usage("a group is edited with --retry-policy, --max-retries or --priority");
            return Err(error.remedy("edit the payload of one letter with: redrive letters edit QUEUE ID").into());
        };
        let walk = GroupWalk {
            queue: &self.queue,
            group,
            statuses: &[Status::Pending, Status::Exhausted],
            verb: "edit",
            participle: "edited",
            is_confirmed: self.yes,
            is_dry_run: self.dry_run,
        };
        let edit = async |letter: &Letter| {
            let (id, revision) = (letter.id.clone(), letter.revision);
            let request = LettersEditRequest { id, revision, ..request.clone() };
            session.client.edit_letter(&request).await.map(drop)
        };
        walk.each(session, edit).await
    }

    async fn retry(&self, edited: &Letter, session: &Session) -> Result<()> {
        let request = LettersRetryRequest { queue_name: self.queue.clone(), id: edited.id.clone(), force: false };
        let retried = session.call_to_end(session.client.retry_letter(&request)).await?;
        retry::print(&edited.id, &self.queue, &retried, session.format)?;
        if retried.success {
            return Ok(());
        }
        let remedy = format!("show the attempts with: redrive letters show {} {}", self.queue, edited.id);
        Err(CliError::new(Exit::Error, "the letter was edited, but its retry failed").remedy(remedy).into())
    }
}

fn check_editable(letter: &Letter) -> Result<(), CliError> {
    if ["pending", "exhausted"].contains(&letter.status.as_str()) {
        return Ok(());
    }
    let message =
        format!("letter {} is {}; only pending and exhausted letters can be edited", letter.id, letter.status);
    Err(CliError::new(Exit::Rejected, message))
}

/// Prints how the payload changes: its size, and the difference if the payload was revealed and both are texts.
fn say_payloads(before: &Content, after: &[u8]) {
    say(format_args!("payload: {} → {} bytes", before.payload_bytes, after.len()));
    let is_revealed = before.payload_bytes == i64::try_from(before.payload.len()).unwrap_or(i64::MAX);
    if let (true, Ok(before), Ok(after)) = (is_revealed, PayloadText::of(&before.payload), PayloadText::of(after)) {
        say_difference(&before.text, &after.text);
    }
}

/// Prints the beginning of the difference of two texts.
fn say_difference(before: &str, after: &str) {
    let difference = diff(before, after);
    let mut lines = difference.lines();
    lines.by_ref().take(SHOWN_LINES).for_each(|line| say(excerpt(line, SHOWN_CHARS)));
    let left = lines.count();
    if left > 0 {
        say(format_args!("… and {left} more lines"));
    }
}

/// Prints what else the options changed, one field per line.
fn say_changes(before: &Letter, request: &LettersEditRequest, after: &Letter) {
    let changed = |name: &str, before: &str, after: &str| {
        if before != after {
            say(format_args!("{name}: {before} → {after}"));
        }
    };
    if let Some(headers) = &request.headers {
        let names: Vec<&str> = headers.headers.iter().map(|header| header.name.as_str()).collect();
        say(format_args!("headers: {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") }));
    }
    changed("retry policy", &before.retry_policy, &after.retry_policy);
    changed("max retries", &before.max_retries.to_string(), &after.max_retries.to_string());
    changed("priority", &before.priority, &after.priority);
    changed("status", &before.status, &after.status);
}
