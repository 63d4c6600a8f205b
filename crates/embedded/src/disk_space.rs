//! Upper bounds for the disk space that operations need.
//!
//! They are computed before an operation is applied: an applied operation must find space for its facts.

use redrive_model::{Attempt, CaptureContext, FullLetter, KeyWrite, MetadataSize, NewLetter, SettleAction};

/// The size of a record without its document, including the overhead of the log: of an item, and of a letter.
pub(crate) const ITEM: usize = 256;
pub(crate) const LETTER: usize = 4 * 1024;
/// The size of a new letter's record, without its names and documents.
const NEW_LETTER: usize = 768;
/// The record of an attempt without details: only its outcome and time.
pub(crate) const PLAIN_ATTEMPT: usize = 256;
/// A lease, without its items.
pub(crate) const LEASE: usize = 128;
/// The death of an item, which writes a capture context.
const DEATH: usize = 6 * 1024;
/// The factor by which JSON encoding may enlarge a text.
pub(crate) const JSON: usize = 6;

/// The entries of a remembered message id, and of those that are dropped for it.
pub(crate) const REMEMBERED_ID: usize = 6 * 1024;

/// A completed plain item: a number in a list.
pub(crate) const COMPLETED: usize = 8;

/// One timed transition.
pub(crate) const TRANSITION: usize = DEATH;

/// The single record of a new letter, with its header documents and its content.
pub(crate) fn new_letter(letter: &NewLetter) -> usize {
    let names = letter.source_id.len() + letter.destination.len();
    NEW_LETTER + names + letter.content.bytes_max() + context(&letter.context) + attempt(Some(&letter.attempt))
}

pub(crate) const fn letters(count: usize) -> usize {
    count.saturating_mul(LETTER)
}

/// The settlement of one item.
pub(crate) fn settlement(action: &SettleAction) -> usize {
    match action {
        SettleAction::Release | SettleAction::Defer { .. } => LETTER,
        SettleAction::Lost => LETTER + DEATH + PLAIN_ATTEMPT,
        SettleAction::Note { notes, .. } => {
            let texts = [&notes.error, &notes.verdict].into_iter().flatten().map(String::len);
            let parts = notes.parts.iter().map(|part| JSON * (part.len() + 4));
            LETTER + 3 * ITEM + texts.chain(parts).sum::<usize>()
        }
        SettleAction::Complete { attempt: record } => LETTER + attempt(record.as_deref()),
        SettleAction::Retry { attempt: record, .. }
        | SettleAction::Dead { attempt: record, .. }
        | SettleAction::RedeliverForHandOver { attempt: record, .. } => LETTER + DEATH + attempt(record.as_deref()),
    }
}

fn attempt(attempt: Option<&Attempt>) -> usize {
    attempt.map_or(PLAIN_ATTEMPT, |attempt| {
        let texts = [attempt.error_type.as_deref(), Some(attempt.error.as_str()), attempt.rule.as_deref()];
        let texts = texts.into_iter().chain([attempt.worker.as_deref(), attempt.actor.as_deref()]);
        // Parts are stored twice: with the attempt, and as the letter's remaining parts.
        let parts = attempt.failed_parts.iter().map(|part| 2 * (part.len() + 4));
        let record_of_parts = if attempt.failed_parts.is_empty() { 0 } else { LETTER };
        1024 + record_of_parts + JSON * (texts.flatten().map(str::len).sum::<usize>() + parts.sum::<usize>())
    })
}

fn context(context: &CaptureContext) -> usize {
    let origin = &context.origin;
    let texts = [
        Some(&*origin.transport),
        Some(&*origin.name),
        origin.consumer.as_deref(),
        origin.message_id.as_deref(),
        context.reply_to.as_deref(),
        context.trace_id.as_deref(),
        context.request_id.as_deref(),
        context.submitted_by.as_deref(),
        context.note.as_deref(),
    ];
    let parts = context.parts.iter().map(|part| part.len() + 4);
    let metadata = MetadataSize::of(&context.metadata).bytes;
    let texts = texts.into_iter().flatten().map(str::len);
    let death = if context.death.is_some() { DEATH } else { 0 };
    1024 + death + metadata + context.depends_on.len() * 64 + JSON * (texts.chain(parts).sum::<usize>())
}

/// A reinstated letter: a record for each document, one for an older revision that is replaced, one for a lost attempt,
/// and one if the letter it depended on is already completed.
pub(crate) fn full_letter(letter: &FullLetter) -> usize {
    let records = 7 + letter.attempts.len() + letter.notes.len();
    let contents = [Some(&letter.content), letter.original.as_ref()].into_iter().flatten();
    let contents: usize = contents.map(|content| content.bytes_max()).sum();
    let attempts: usize = letter.attempts.iter().map(|record| attempt(Some(record))).sum();
    let notes: usize = letter.notes.iter().map(bytes::Bytes::len).sum();
    let parts: usize = letter.parts.iter().flatten().map(|part| JSON * (part.len() + 4)).sum();
    records * LETTER + contents + letter.context.as_ref().map_or(0, context) + attempts + notes + parts + DEATH
}

/// The remembered answer of a request with a request id, if all its items are duplicates (the largest case).
pub(crate) const fn answer(items: usize) -> usize {
    ITEM + items.saturating_mul(24)
}

pub(crate) fn keys(writes: &[KeyWrite]) -> usize {
    writes.iter().map(|write| write.key.len() + write.value.as_ref().map_or(0, bytes::Bytes::len) + 32).sum()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use redrive_core::{
        Category, DelayHint, Fingerprint, Outcome, PolicySource, Priority, QueueName, RetryPolicy, Span, Time, Trigger,
    };
    use redrive_model::{
        Capture, Content, CreateQueue, Destination, LetterOverrides, OnDuplicate, OpContext, Origin, QueueSettings,
    };
    use redrive_queue::{Facts, State};

    use redrive_queue::Apply;

    use super::*;
    use crate::operations::bytes_max;

    /// A letter with all fields set, in characters whose JSON encoding is longest.
    fn largest_letter(number: u32) -> NewLetter {
        let text = |len: usize| "\u{1}".repeat(len);
        let origin = Origin {
            transport: text(40).into(),
            name: text(300).into(),
            server: Some(text(200).into()),
            consumer: Some(text(200).into()),
            partition: Some(i64::MIN),
            offset: Some(i64::from(number)),
            timestamp: Some(Time::MAX),
            message_id: Some(text(100)),
            replays: u32::MAX,
        };
        let context = CaptureContext {
            origin,
            parts: vec![text(30); 20],
            metadata: (0..20).map(|key| (format!("{key}{}", text(20)), vec![text(50); 2].into())).collect(),
            reply_to: Some(text(100)),
            trace_id: Some(text(100)),
            request_id: Some(text(100)),
            submitted_by: Some(text(100)),
            note: Some(text(500)),
            ..CaptureContext::default()
        };
        let attempt = Attempt {
            error: text(2000),
            error_type: Some(text(100)),
            category: Some(Category::Transient),
            rule: Some(text(100)),
            fingerprint: Some(Fingerprint::from_bytes([9; 16])),
            failed_parts: vec![text(30); 20],
            worker: Some(text(100).into()),
            actor: Some(text(100).into()),
            started_at: Some(Time::MAX),
            ended_at: Some(Time::MAX),
            ..Attempt::new(Trigger::Automatic, Outcome::Failure)
        };
        NewLetter {
            source_id: text(500).into(),
            content: Arc::new(Content { kind: text(2000), ..Content::of_payload(vec![1; 100]) }),
            context,
            attempt,
            category: Category::Transient,
            fingerprint: Fingerprint::from_bytes([9; 16]),
            policy: RetryPolicy::Exponential,
            policy_source: PolicySource::Explicit,
            max_retries: QueueSettings::MAX_RETRIES_MAX,
            hint: DelayHint::NONE,
            priority: Priority::default(),
            destination: text(Destination::BYTES_MAX).into(),
            failed_at: Time::MAX,
            is_of_source: true,
        }
    }

    #[test]
    fn a_captured_letter_takes_no_more_space_than_was_computed() {
        for on_duplicate in [OnDuplicate::Merge, OnDuplicate::NewGeneration] {
            let mut state = State::new();
            let op = OpContext::new(Time::MAX.saturating_sub(Span::from_hours(1)), 7);
            let name = QueueName::new("dead").unwrap();
            let letters = LetterOverrides { on_duplicate: Some(on_duplicate), ..LetterOverrides::default() };
            let settings = QueueSettings { letters, ..QueueSettings::new(name.clone()) };
            CreateQueue { settings }.apply(&mut state, op, &mut Facts::new()).unwrap();
            // The second and the third have the same source id as the first.
            for number in 0..3 {
                let capture = Capture::new(name.clone(), vec![largest_letter(number)]);
                let computed = bytes_max(&capture.clone().into(), &[], &state);
                let mut facts = Facts::new();
                capture.apply(&mut state, op, &mut facts).unwrap();
                let taken: usize = facts.iter().map(|fact| fact.head.len() + fact.payload.len() + 32).sum();
                assert!(taken <= computed, "{on_duplicate:?}: {taken} bytes taken, {computed} computed");
                assert!(taken > 0);
            }
        }
    }
}
