//! How much room an operation takes at most, and whether it may use the last of it.
//!
//! Reckoned before anything is done: an operation that was applied must find room for its facts.

use redrive_journal::Use;
use redrive_queue::{
    ActOnSeen, Attempt, Dossier, KeyWrite, LetterSettings, NewLetter, QueueSettings, SeenAct, Settlement, State, Verb,
    WholeLetter,
};

use crate::Operation;

/// A record without its document, and what the log puts around it: an item, a letter.
const ITEM: usize = 256;
pub(crate) const LETTER: usize = 4 * 1024;
/// The same of a letter whose names are known.
const NEW_LETTER: usize = 768;
/// The record of an attempt of which nobody said anything: how it ended, and when.
const PLAIN_ATTEMPT: usize = 256;
/// A lease, apart from the items in it.
pub(crate) const LEASE: usize = 128;
/// A death writes a dossier.
const DEATH: usize = 6 * 1024;
/// A text in JSON may take so much more.
const JSON: usize = 6;

/// A plain item that is completed is a number in a list.
const COMPLETED: usize = 8;

/// What one thing that happens by itself takes.
pub(crate) const TRANSITION: usize = DEATH;

/// No less than the facts of an operation take.
pub(crate) fn bytes_max(operation: &Operation, along: &[KeyWrite], state: &State) -> usize {
    keys(along) + ITEM + of(operation, state)
}

fn of(operation: &Operation, state: &State) -> usize {
    match operation {
        Operation::CreateQueue(create) => {
            16 * 1024 + create.settings.reference.len() * JSON + create.settings.letters.bytes_max()
        }
        Operation::UpdateQueue(update) => {
            let letters = update.letters.as_ref().map(LetterSettings::bytes_max);
            let letters = letters.unwrap_or_else(|| state.letter_settings_bytes_max(&update.name));
            let reference = update.reference.as_ref().map_or(QueueSettings::REFERENCE_BYTES_MAX, String::len);
            16 * 1024 + reference * JSON + letters
        }
        Operation::Produce(produce) => produce
            .items
            .iter()
            .map(|item| ITEM + item.content.bytes_max() + item.message_id.as_ref().map_or(0, |id| id.len()))
            .sum(),
        Operation::Import(import) => import
            .items
            .iter()
            .map(|item| ITEM + item.content.bytes_max() + item.source_id.as_ref().map_or(0, |id| id.len()))
            .sum(),
        // Those who wait are served together, out of an allowance of their own.
        Operation::Lease(_) | Operation::Claim(_) => LEASE,
        Operation::Extend(extend) => extend.ids.len() * 16,
        Operation::Settle(settle) => settlements(&settle.items, state),
        Operation::Clear(clear) => state.letters_in(&clear.queue).saturating_mul(8),
        Operation::DeleteItems(delete) => delete.ids.len() * 8,
        // A refusal is counted; it takes less than the letter that was refused.
        // Each may have another letter make way for it, or add to one that is there.
        Operation::Capture(capture) => capture.letters.iter().map(|letter| LETTER + new_letter(letter)).sum(),
        Operation::ClaimLetters(claim) => letters(claim.letters.len()),
        Operation::Archive(archive) => letters(archive.letters.len()),
        Operation::Restore(restore) => {
            let waiting = restore.letters.iter().map(|id| state.waiting_for(*id));
            letters(restore.letters.len() + waiting.sum::<usize>()) + restore.letters.len() * PLAIN_ATTEMPT
        }
        Operation::Reinstate(reinstate) => {
            let ids = reinstate.letters.iter().filter_map(|whole| whole.info.letter.as_ref()).map(|letter| letter.id);
            let waiting: usize = ids.map(|id| state.waiting_for(id)).sum();
            letters(waiting) + reinstate.letters.iter().map(whole).sum::<usize>()
        }
        Operation::Edit(edit) => LETTER + edit.content.as_ref().map_or(0, |content| content.bytes_max()),
        Operation::Purge(purge) => purge.letters.len() * 8,
        Operation::ActOnSeen(ActOnSeen { letters: seen, act: SeenAct::Archive, .. }) => letters(seen.len()),
        Operation::ActOnSeen(ActOnSeen { letters: seen, act: SeenAct::Purge, .. }) => seen.len() * 8,
        Operation::Annotate(annotate) => LETTER + annotate.note.len(),
        Operation::WriteKeys(write) => keys(&write.writes),
        Operation::DeleteQueue(_) | Operation::Cursor(_) => 1024,
        Operation::GetQueue(_)
        | Operation::ListQueues(_)
        | Operation::Stats(_)
        | Operation::ListItems(_)
        | Operation::GetItem(_)
        | Operation::GetLetter(_)
        | Operation::ListLetters(_)
        | Operation::Groups(_)
        | Operation::FindLetters(_)
        | Operation::GetKey(_)
        | Operation::ScanKeys(_)
        | Operation::Changes(_)
        | Operation::Conservation => 0,
    }
}

/// Whether an operation changes nothing.
pub(crate) const fn is_read(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::GetQueue(_)
            | Operation::ListQueues(_)
            | Operation::Stats(_)
            | Operation::ListItems(_)
            | Operation::GetItem(_)
            | Operation::GetLetter(_)
            | Operation::ListLetters(_)
            | Operation::Groups(_)
            | Operation::FindLetters(_)
            | Operation::GetKey(_)
            | Operation::ScanKeys(_)
            | Operation::Changes(_)
            | Operation::Conservation
    )
}

/// Whether an operation lets something be forgotten, or is on the way to it: a lease comes before a complete.
pub(crate) const fn purpose(operation: &Operation) -> Use {
    match operation {
        Operation::Lease(_)
        | Operation::Claim(_)
        | Operation::ClaimLetters(_)
        | Operation::Extend(_)
        | Operation::Settle(_)
        | Operation::Clear(_)
        | Operation::DeleteItems(_)
        | Operation::DeleteQueue(_)
        | Operation::Archive(_)
        | Operation::Purge(_)
        | Operation::ActOnSeen(_) => Use::FreesRoom,
        _ => Use::Ordinary,
    }
}

/// Whether an operation frees nothing itself, and only lets somebody free something later.
pub(crate) const fn only_prepares(operation: &Operation) -> bool {
    matches!(operation, Operation::Lease(_) | Operation::Claim(_) | Operation::ClaimLetters(_) | Operation::Extend(_))
}

/// Its one record: what it is, and its papers and content.
fn new_letter(letter: &NewLetter) -> usize {
    let names = letter.source_id.len() + letter.destination.len();
    NEW_LETTER + names + letter.content.bytes_max() + dossier(&letter.dossier) + attempt(Some(&letter.attempt))
}

const fn letters(count: usize) -> usize {
    count.saturating_mul(LETTER)
}

/// What became of items. A plain one that is completed takes next to nothing, and that is most of what gets a store out of
/// a full disk: if room for a letter were asked for each, a handful would find none on files that are half empty.
fn settlements(items: &[Settlement], state: &State) -> usize {
    let is_plain = |item: &&Settlement| matches!(item.verb, Verb::Complete { .. }) && state.is_plain(item.id);
    let (plain, others): (Vec<_>, Vec<_>) = items.iter().partition(is_plain);
    // Until it is done, one of them may have become something else: what is said of it then comes late, is kept, and ends
    // the operation.
    let freed: usize = others.iter().map(|item| letters(state.waiting_for_item(item.id))).sum();
    let late = plain.iter().map(|item| verb(&item.verb)).max().unwrap_or(0);
    freed + late + plain.len().saturating_sub(1) * COMPLETED + others.iter().map(|item| verb(&item.verb)).sum::<usize>()
}

fn verb(verb: &Verb) -> usize {
    match verb {
        Verb::Release | Verb::Defer { .. } => LETTER,
        Verb::Complete { attempt: record } => LETTER + attempt(record.as_deref()),
        Verb::Retry { attempt: record, .. }
        | Verb::Dead { attempt: record, .. }
        | Verb::Condemn { attempt: record } => LETTER + DEATH + attempt(record.as_deref()),
    }
}

fn attempt(attempt: Option<&Attempt>) -> usize {
    attempt.map_or(PLAIN_ATTEMPT, |attempt| {
        let texts = [attempt.error_type.as_deref(), Some(attempt.error.as_str()), attempt.rule.as_deref()];
        let texts = texts.into_iter().chain([attempt.worker.as_deref(), attempt.actor.as_deref()]);
        // Parts are kept twice: with the attempt, and as what is still to be done.
        let parts = attempt.failed_parts.iter().map(|part| 2 * (part.len() + 4));
        let record_of_parts = if attempt.failed_parts.is_empty() { 0 } else { LETTER };
        1024 + record_of_parts + JSON * (texts.flatten().map(str::len).sum::<usize>() + parts.sum::<usize>())
    })
}

fn dossier(dossier: &Dossier) -> usize {
    let origin = &dossier.origin;
    let texts = [
        Some(&origin.transport),
        Some(&origin.name),
        origin.consumer.as_ref(),
        origin.message_id.as_ref(),
        dossier.reply_to.as_ref(),
        dossier.trace_id.as_ref(),
        dossier.request_id.as_ref(),
        dossier.submitted_by.as_ref(),
        dossier.note.as_ref(),
    ];
    let parts = dossier.parts.iter().map(|part| part.len() + 4);
    let metadata = dossier.metadata.iter().map(|(key, value)| key.len() + value.len() + 8);
    let texts = texts.into_iter().flatten().map(String::len);
    let death = if dossier.death.is_some() { DEATH } else { 0 };
    1024 + death + dossier.depends_on.len() * 64 + JSON * (texts.chain(parts).chain(metadata).sum::<usize>())
}

/// A record for each document, one for an older revision that goes, one for an attempt that was lost, and one
/// where what it waited for was completed before.
fn whole(letter: &WholeLetter) -> usize {
    let records = 7 + letter.attempts.len() + letter.notes.len();
    let contents = [Some(&letter.content), letter.original.as_ref()].into_iter().flatten();
    let contents: usize = contents.map(|content| content.bytes_max()).sum();
    let attempts: usize = letter.attempts.iter().map(|record| attempt(Some(record))).sum();
    let notes: usize = letter.notes.iter().map(bytes::Bytes::len).sum();
    let parts: usize = letter.parts.iter().flatten().map(|part| JSON * (part.len() + 4)).sum();
    records * LETTER + contents + letter.dossier.as_ref().map_or(0, dossier) + attempts + notes + parts + DEATH
}

fn keys(writes: &[KeyWrite]) -> usize {
    writes.iter().map(|write| write.key.len() + write.value.as_ref().map_or(0, bytes::Bytes::len) + 32).sum()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use redrive_core::{
        Category, Fingerprint, Outcome, PolicySource, Priority, QueueName, RetryPolicy, Span, Time, Trigger,
    };
    use redrive_queue::{
        Capture, Content, CreateQueue, Facts, LetterSettings, Moment, OnDuplicate, Origin, QueueSettings, State,
    };

    use super::*;

    /// Everything that can be said of a failure, in characters that take the most room.
    fn talkative(number: u32) -> NewLetter {
        let text = |len: usize| "\u{1}".repeat(len);
        let origin = Origin {
            transport: text(40),
            name: text(300),
            consumer: Some(text(200)),
            partition: Some(i64::MIN),
            offset: Some(i64::from(number)),
            timestamp: Some(Time::MAX),
            message_id: Some(text(100)),
        };
        let dossier = Dossier {
            origin,
            parts: vec![text(30); 20],
            metadata: (0..20).map(|key| (format!("{key}{}", text(20)), text(50))).collect(),
            reply_to: Some(text(100)),
            trace_id: Some(text(100)),
            request_id: Some(text(100)),
            submitted_by: Some(text(100)),
            note: Some(text(500)),
            ..Dossier::default()
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
            dossier,
            attempt,
            category: Category::Transient,
            fingerprint: Fingerprint::from_bytes([9; 16]),
            policy: RetryPolicy::Exponential,
            policy_source: PolicySource::Explicit,
            max_retries: Some(QueueSettings::MAX_RETRIES_MAX),
            priority: Priority::default(),
            destination: text(NewLetter::DESTINATION_BYTES_MAX).into(),
            failed_at: Time::MAX,
        }
    }

    #[test]
    fn a_captured_letter_takes_no_more_room_than_is_asked_for_it() {
        for on_duplicate in [OnDuplicate::Merge, OnDuplicate::NewGeneration] {
            let mut state = State::new();
            let moment = Moment::new(Time::MAX.saturating_sub(Span::from_hours(1)), 7);
            let name = QueueName::new("dead").unwrap();
            let letters = LetterSettings { on_duplicate: Some(on_duplicate), ..LetterSettings::default() };
            let settings = QueueSettings { letters, ..QueueSettings::new(name.clone()) };
            CreateQueue { settings }.apply(&mut state, moment, &mut Facts::new()).unwrap();
            // The second and the third are of the same work as the first.
            for number in 0..3 {
                let capture = Capture::new(name.clone(), vec![talkative(number)]);
                let room = bytes_max(&Operation::Capture(capture.clone()), &[], &state);
                let mut facts = Facts::new();
                capture.apply(&mut state, moment, &mut facts).unwrap();
                let taken: usize = facts.iter().map(|fact| fact.head.len() + fact.payload.len() + 32).sum();
                assert!(taken <= room, "{on_duplicate:?}: {taken} bytes in room for {room}");
                assert!(taken > 0);
            }
        }
    }
}
