//! Prints a letter as text: what it is and what happens next, its attempts, its notes.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{
    Attempt, Content, Death, Letter, LetterAttempt, LettersGetResponse, Note, Origin,
};
use redrive_client::proto::{JsonValue, Timestamp};
use redrive_core::{Outcome, Span};

use super::super::letter_line::retries;
use super::outlook::{Processor, outlook, when};
use crate::commands::payload;
use crate::console::{Column, Fields, FittedRows, excerpt, or_dash, output_width, relative};

/// The characters of an error or of a metadata value above the attempts; `--output json` prints them whole.
const SHOWN_CHARS_MAX: usize = 200;

pub(super) fn print(shown: &LettersGetResponse, processor: &Processor, mut out: &mut impl Write) -> Result<()> {
    let letter = shown.letter.clone().unwrap_or_default();
    let now = shown.now;
    let fields = Fields::new()
        .with("id", &letter.id)
        .with(
            "queue",
            &format!("{}, generation {}, revision {}", letter.queue_name, letter.generation, letter.revision),
        )
        .with_non_empty("source id", &letter.source_id)
        .with("status", &status(&letter, now))
        .with("next", &outlook(shown, processor))
        .with_non_empty("error", &excerpt(&shown.last_error, SHOWN_CHARS_MAX))
        .with("category", &category(&letter, &shown.matched_rule))
        .with("group", &letter.fingerprint)
        .with("failed", &failed(&letter, now))
        .with("attempts", &attempts(&letter))
        .with("priority", &priority(&letter));
    let fields =
        shown.origin.iter().fold(fields, |fields, origin| fields.with_non_empty("origin", &origin_text(origin)));
    let fields = shown.death.iter().fold(fields, |fields, death| fields.with("died", &death_text(death)));
    let fields = fields
        .with_non_empty("submitted by", &shown.submitted_by)
        .with_non_empty("trace id", &shown.trace_id)
        .with_non_empty("request id", &shown.request_id)
        .with_non_empty("reply to", &shown.reply_to)
        .with_non_empty("parts", &shown.parts.join(", "))
        .with_non_empty("depends on", &shown.depends_on.join(", "))
        .with_non_empty("metadata", &metadata(shown))
        .with("payload", &payload_text(shown));
    let fields = shown.content.iter().fold(fields, |fields, content| revealed_fields(content, fields));
    let fields = letter.expire_deadline.iter().fold(fields, |fields, at| fields.with("expires", &when(*at, now)));
    fields.print(&mut out)?;
    print_attempts(&shown.attempts, now, &mut out)?;
    print_notes(&shown.notes, now, &mut out)
}

fn status(letter: &Letter, now: Option<Timestamp>) -> String {
    let since = letter.ended_at.map(|at| format!(" since {}", when(at, now))).unwrap_or_default();
    let was = if letter.before.is_empty() { String::new() } else { format!(", was {}", letter.before) };
    let lost = if letter.outcome_unknown { "; an attempt was lost and may have taken effect" } else { "" };
    format!("{}{since}{was}{lost}", letter.status)
}

fn category(letter: &Letter, rule: &str) -> String {
    if rule.is_empty() { letter.category.clone() } else { format!("{}, rule {rule}", letter.category) }
}

fn failed(letter: &Letter, now: Option<Timestamp>) -> String {
    let shown = |at: Option<Timestamp>| at.map_or_else(|| "-".to_owned(), |at| when(at, now));
    if letter.first_failed_at == letter.last_failed_at {
        return shown(letter.first_failed_at);
    }
    format!("first {}, last {}", shown(letter.first_failed_at), shown(letter.last_failed_at))
}

fn attempts(letter: &Letter) -> String {
    let policy = format!("policy {} ({})", letter.retry_policy, letter.policy_source);
    format!("{}, failed retries {}, {policy}", letter.total_attempts, retries(letter))
}

fn priority(letter: &Letter) -> String {
    match letter.destination.as_str() {
        "" => letter.priority.clone(),
        destination => format!("{}, destination {destination}", letter.priority),
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
        number("replays", Some(i64::from(origin.replays)).filter(|replays| *replays != 0)),
    ];
    pieces.into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(", ")
}

fn death_text(death: &Death) -> String {
    let Death { queue_name, partition, reason, attempts, .. } = death;
    format!("in '{queue_name}', partition {partition}, after {attempts} attempts: {reason}")
}

fn metadata(shown: &LettersGetResponse) -> String {
    let value = |value: &JsonValue| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let entries =
        shown.metadata.iter().map(|(name, json)| format!("{name}={}", excerpt(&value(json), SHOWN_CHARS_MAX)));
    entries.collect::<Vec<_>>().join(", ")
}

fn payload_text(shown: &LettersGetResponse) -> String {
    let Content { kind, encoding, reference, payload_bytes, .. } = shown.content.clone().unwrap_or_default();
    let named = [("kind", kind), ("encoding", encoding), ("reference", reference)];
    let named =
        named.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!(", {name} {value}"));
    let original =
        shown.original.iter().map(|original| format!("; edited, the original has {} bytes", original.payload_bytes));
    format!("{payload_bytes} bytes{}", named.chain(original).collect::<String>())
}

/// Key and headers, which only a revealed content has.
fn revealed_fields(content: &Content, fields: Fields) -> Fields {
    let fields = content.key.iter().fold(fields, |fields, key| fields.with("key", &payload::cell(key)));
    let header = |name: &str| format!("header {name}");
    content.headers.iter().fold(fields, |fields, sent| fields.with(&header(&sent.name), &payload::cell(&sent.value)))
}

const ATTEMPTS: &[Column] = &[
    Column::text("ATTEMPT"),
    Column::text("TOOK").from(100),
    Column::text("TRIGGER").from(120),
    Column::text("OUTCOME"),
    Column::text("CATEGORY"),
    Column::text("RULE").cut(8).from(140),
    Column::text("BY").cut(8).from(120),
    Column::text("ERROR").cut(20),
];

fn print_attempts(attempts: &[LetterAttempt], now: Option<Timestamp>, mut out: &mut impl Write) -> Result<()> {
    writeln!(out)?;
    let mut rows = FittedRows::new(&mut out, ATTEMPTS, output_width());
    for LetterAttempt { attempt, actor, handed_back_to, actor_name } in attempts {
        let attempt = attempt.clone().unwrap_or_default();
        let took = took(&attempt);
        let is_unreported = attempt.outcome == Outcome::Failure.as_str() && attempt.cause.is_empty();
        let Attempt { ended_at, trigger, outcome, cause, category, rule, worker, error_type, error, .. } = attempt;
        let outcome = if cause.is_empty() { outcome } else { format!("{outcome} ({cause})") };
        let kind = if error_type.is_empty() { String::new() } else { format!("{error_type}: ") };
        let outcome = match handed_back_to.as_str() {
            "" => outcome,
            to => format!("{outcome} (handed back to '{to}')"),
        };
        let by = [actor_name, actor, &worker].into_iter().find(|name| !name.is_empty()).map_or("", String::as_str);
        rows.push(vec![
            relative(ended_at, now),
            took,
            trigger,
            outcome,
            or_dash(&category).to_owned(),
            or_dash(&rule).to_owned(),
            or_dash(by).to_owned(),
            excerpt(&error_text(&kind, &error, is_unreported), SHOWN_CHARS_MAX),
        ])?;
    }
    rows.finish()
}

fn error_text(kind: &str, error: &str, is_unreported: bool) -> String {
    match (kind, error) {
        ("", "") if is_unreported => "(no error was reported)".to_owned(),
        _ => format!("{kind}{error}"),
    }
}

/// The duration of an attempt, if its begin is known.
fn took(attempt: &Attempt) -> String {
    let started = attempt.started_at.and_then(Timestamp::time);
    let took = started.zip(attempt.ended_at.and_then(Timestamp::time)).map(|(begin, end)| end.since(begin));
    // Microseconds say nothing about an attempt.
    let rounded = |span: Span| Span::from_millis(span.as_micros() / 1_000);
    took.map_or_else(|| "-".to_owned(), |took| rounded(took).to_string())
}

const NOTES: &[Column] =
    &[Column::text("NOTED"), Column::text("AUTHOR"), Column::text("TAGS"), Column::text("TEXT").cut(20)];

fn print_notes(notes: &[Note], now: Option<Timestamp>, mut out: &mut impl Write) -> Result<()> {
    if notes.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut rows = FittedRows::new(&mut out, NOTES, output_width());
    for Note { text, author, at, tags, author_name } in notes {
        let noted = relative(*at, now);
        let author = if author_name.is_empty() { author } else { author_name };
        rows.push(vec![noted, or_dash(author).to_owned(), or_dash(&tags.join(", ")).to_owned(), text.clone()])?;
    }
    rows.finish()
}
