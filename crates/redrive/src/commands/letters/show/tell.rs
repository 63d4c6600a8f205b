//! A letter, told to people: what it is, where it came from, what was tried, what was written down.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{
    Attempt, Content, Death, Letter, LetterAttempt, LettersGetResponse, Note, Origin,
};

use super::super::letter_line::{retries, time};
use crate::commands::payload;
use crate::console::{Align, Facts, Rows, excerpt, or_dash};

/// So much of an error has a place in a table; `--output json` has all of it.
const ERROR_CHARS_MAX: usize = 200;

pub(super) fn tell(shown: &LettersGetResponse, mut out: &mut impl Write) -> Result<()> {
    let mut facts = Facts::new();
    if let Some(letter) = &shown.letter {
        facts = about(letter, facts);
    }
    facts = shown.origin.iter().fold(facts, |facts, origin| facts.some("origin", &came_from(origin)));
    facts = shown.death.iter().fold(facts, |facts, death| facts.with("died", &died(death)));
    facts = facts
        .some("submitted by", &shown.submitted_by)
        .some("trace id", &shown.trace_id)
        .some("request id", &shown.request_id)
        .some("reply to", &shown.reply_to)
        .some("parts", &shown.parts.join(", "))
        .some("depends on", &shown.depends_on.join(", "));
    let mut metadata: Vec<_> = shown.metadata.iter().collect();
    metadata.sort();
    facts = metadata.into_iter().fold(facts, |facts, (name, value)| facts.with(&format!("metadata {name}"), value));
    facts = shown.content.iter().fold(facts, |facts, content| holds(content, facts));
    if let Some(original) = &shown.original {
        facts = facts.with("edited", &format!("at first it had {} bytes", original.payload_bytes));
    }
    facts.print(&mut out)?;
    ledger(&shown.attempts, &mut out)?;
    notes(&shown.notes, &mut out)
}

fn about(letter: &Letter, facts: Facts) -> Facts {
    let was = if letter.before.is_empty() { String::new() } else { format!(" (was {})", letter.before) };
    let overflow = if letter.overflow { "; waits for room in its queue" } else { "" };
    let blocked = if letter.blocked { "; waits for other letters to be completed" } else { "" };
    let damaged = if letter.damaged { "; damaged on disk, this is what is left of it" } else { "" };
    let facts = facts
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
    let some = |facts: Facts, name, at: Option<_>| if at.is_some() { facts.with(name, &time(at)) } else { facts };
    let facts = some(facts, "ended", letter.ended_at);
    let facts = some(facts, "held until", letter.lease_deadline);
    let facts = some(facts, "expires", letter.expire_deadline);
    if letter.outcome_unknown { facts.with("outcome", "an attempt was lost; it may have taken effect") } else { facts }
}

fn came_from(origin: &Origin) -> String {
    let said = |name: &str, value: &str| if value.is_empty() { String::new() } else { format!("{name} {value}") };
    let number = |name: &str, value: Option<i64>| value.map(|value| format!("{name} {value}")).unwrap_or_default();
    let pieces = [
        origin.transport.clone(),
        origin.name.clone(),
        said("consumer", &origin.consumer),
        number("partition", origin.partition),
        number("offset", origin.offset),
        said("message", &origin.message_id),
        origin.timestamp.map(|at| format!("at {at}")).unwrap_or_default(),
    ];
    pieces.into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(", ")
}

fn died(death: &Death) -> String {
    let Death { queue_name, partition, reason, attempts, .. } = death;
    format!("in '{queue_name}', partition {partition}, after {attempts} attempts: {reason}")
}

fn holds(content: &Content, facts: Facts) -> Facts {
    let facts = facts
        .some("kind", &content.kind)
        .some("encoding", &content.encoding)
        .some("reference", &content.reference)
        .with("payload", &format!("{} bytes", content.payload_bytes));
    let facts = content.key.iter().fold(facts, |facts, key| facts.with("key", &payload::cell(key)));
    let header = |name: &str| format!("header {name}");
    content.headers.iter().fold(facts, |facts, sent| facts.with(&header(&sent.name), &payload::cell(&sent.value)))
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

fn ledger(attempts: &[LetterAttempt], mut out: &mut impl Write) -> Result<()> {
    writeln!(out)?;
    let mut rows = Rows::new(&mut out, ATTEMPTS);
    for LetterAttempt { attempt, actor } in attempts {
        let told = attempt.clone().unwrap_or_default();
        let Attempt { ended_at, trigger, outcome, cause, category, rule, worker, error_type, error, .. } = told;
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

fn notes(notes: &[Note], mut out: &mut impl Write) -> Result<()> {
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
