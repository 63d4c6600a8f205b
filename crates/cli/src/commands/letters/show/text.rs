//! Prints a letter as text: its fields, its attempts, its notes.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{
    Attempt, Content, Death, Letter, LetterAttempt, LettersGetResponse, Note, Origin,
};

use super::super::letter_line::{retries, time};
use crate::commands::payload;
use crate::console::{Align, Fields, Rows, excerpt, or_dash};

/// The characters of an error in a table; `--output json` prints the whole error.
const ERROR_CHARS_MAX: usize = 200;

pub(super) fn print(shown: &LettersGetResponse, mut out: &mut impl Write) -> Result<()> {
    let mut fields = Fields::new();
    if let Some(letter) = &shown.letter {
        fields = letter_fields(letter, fields);
    }
    fields = shown.origin.iter().fold(fields, |fields, origin| fields.with_non_empty("origin", &origin_text(origin)));
    fields = shown.death.iter().fold(fields, |fields, death| fields.with("died", &death_text(death)));
    fields = fields
        .with_non_empty("submitted by", &shown.submitted_by)
        .with_non_empty("trace id", &shown.trace_id)
        .with_non_empty("request id", &shown.request_id)
        .with_non_empty("reply to", &shown.reply_to)
        .with_non_empty("parts", &shown.parts.join(", "))
        .with_non_empty("depends on", &shown.depends_on.join(", "));
    fields = shown.metadata.iter().fold(fields, |fields, (name, value)| {
        fields.with(&format!("metadata {name}"), &value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    });
    fields = shown.content.iter().fold(fields, |fields, content| content_fields(content, fields));
    if let Some(original) = &shown.original {
        fields = fields.with("edited", &format!("the original payload has {} bytes", original.payload_bytes));
    }
    fields.print(&mut out)?;
    print_attempts(&shown.attempts, &mut out)?;
    print_notes(&shown.notes, &mut out)
}

fn letter_fields(letter: &Letter, fields: Fields) -> Fields {
    let was = if letter.before.is_empty() { String::new() } else { format!(" (was {})", letter.before) };
    let overflow = if letter.overflow { "; overflow: waiting for room in the queue" } else { "" };
    let blocked = if letter.blocked { "; blocked: waiting for its dependencies" } else { "" };
    let damaged = if letter.damaged { "; damaged on disk: only the readable part is shown" } else { "" };
    let fields = fields
        .with("id", &letter.id)
        .with("queue", &letter.queue_name)
        .with("source id", or_dash(&letter.source_id))
        .with("status", &format!("{}{was}{overflow}{blocked}{damaged}", letter.status))
        .with("category", &letter.category)
        .with("fingerprint", &letter.fingerprint)
        .with("policy", &format!("{} ({})", letter.retry_policy, letter.policy_source))
        .with("retries", &retries(letter))
        .with("attempts", &letter.total_attempts.to_string())
        .with("priority", &letter.priority)
        .with("destination", or_dash(&letter.destination))
        .with("generation", &letter.generation.to_string())
        .with("revision", &letter.revision.to_string())
        .with("first failed", &time(letter.first_failed_at))
        .with("last failed", &time(letter.last_failed_at))
        .with("next retry", &time(letter.next_retry_at));
    let with_time = |fields: Fields, name, at: Option<_>| {
        if at.is_some() { fields.with(name, &time(at)) } else { fields }
    };
    let fields = with_time(fields, "ended", letter.ended_at);
    let fields = with_time(fields, "claimed until", letter.lease_deadline);
    let fields = with_time(fields, "expires", letter.expire_deadline);
    if letter.outcome_unknown {
        fields.with("outcome", "an attempt was lost; it may have taken effect")
    } else {
        fields
    }
}

fn origin_text(origin: &Origin) -> String {
    let labelled = |name: &str, value: &str| if value.is_empty() { String::new() } else { format!("{name} {value}") };
    let number = |name: &str, value: Option<i64>| value.map(|value| format!("{name} {value}")).unwrap_or_default();
    let pieces = [
        origin.transport.clone(),
        origin.name.clone(),
        labelled("consumer", &origin.consumer),
        number("partition", origin.partition),
        number("offset", origin.offset),
        labelled("message", &origin.message_id),
        origin.timestamp.map(|at| format!("at {at}")).unwrap_or_default(),
    ];
    pieces.into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(", ")
}

fn death_text(death: &Death) -> String {
    let Death { queue_name, partition, reason, attempts, .. } = death;
    format!("in '{queue_name}', partition {partition}, after {attempts} attempts: {reason}")
}

fn content_fields(content: &Content, fields: Fields) -> Fields {
    let fields = fields
        .with_non_empty("kind", &content.kind)
        .with_non_empty("encoding", &content.encoding)
        .with_non_empty("reference", &content.reference)
        .with("payload", &format!("{} bytes", content.payload_bytes));
    let fields = content.key.iter().fold(fields, |fields, key| fields.with("key", &payload::cell(key)));
    let header = |name: &str| format!("header {name}");
    content.headers.iter().fold(fields, |fields, sent| fields.with(&header(&sent.name), &payload::cell(&sent.value)))
}

const ATTEMPTS: &[(&str, Align)] = &[
    ("ATTEMPT ENDED", Align::Text),
    ("TRIGGER", Align::Text),
    ("OUTCOME", Align::Text),
    ("CATEGORY", Align::Text),
    ("RULE", Align::Text),
    ("BY", Align::Text),
    ("ERROR", Align::Text),
];

fn print_attempts(attempts: &[LetterAttempt], mut out: &mut impl Write) -> Result<()> {
    writeln!(out)?;
    let mut rows = Rows::new(&mut out, ATTEMPTS);
    for LetterAttempt { attempt, actor } in attempts {
        let attempt = attempt.clone().unwrap_or_default();
        let Attempt { ended_at, trigger, outcome, cause, category, rule, worker, error_type, error, .. } = attempt;
        let outcome = if cause.is_empty() { outcome } else { format!("{outcome} ({cause})") };
        let kind = if error_type.is_empty() { String::new() } else { format!("{error_type}: ") };
        let by = if actor.is_empty() { &worker } else { actor };
        rows.push(vec![
            time(ended_at),
            trigger,
            outcome,
            or_dash(&category).to_owned(),
            or_dash(&rule).to_owned(),
            or_dash(by).to_owned(),
            excerpt(&format!("{kind}{error}"), ERROR_CHARS_MAX),
        ])?;
    }
    rows.finish()
}

const NOTES: &[(&str, Align)] =
    &[("NOTED", Align::Text), ("AUTHOR", Align::Text), ("TAGS", Align::Text), ("TEXT", Align::Text)];

fn print_notes(notes: &[Note], mut out: &mut impl Write) -> Result<()> {
    if notes.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut rows = Rows::new(&mut out, NOTES);
    for Note { text, author, at, tags } in notes {
        rows.push(vec![time(*at), or_dash(author).to_owned(), or_dash(&tags.join(", ")).to_owned(), text.clone()])?;
    }
    rows.finish()
}
