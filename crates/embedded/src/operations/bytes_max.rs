//! Upper bounds for the disk space of operations. They are computed before an operation is applied: an applied operation
//! must find space for its facts.

use redrive_core::LetterId;
use redrive_model::{
    BulkAction, HandBackLetter, HandBackLetters, KeyWrite, LetterOverrides, Produce, QueueSettings, Settle,
    SettleAction, Settlement, UpdateQueue,
};
use redrive_queue::State;
use redrive_store::Request;

use crate::disk_space::{self, COMPLETED, ITEM, JSON, LEASE, LETTER, PLAIN_ATTEMPT, REMEMBERED_ID, letters};

/// The size of a queue's settings without its texts.
const SETTINGS: usize = 16 * 1024;
/// A letter that is removed: a number in a list.
const REMOVED: usize = 8;

/// An upper bound for the disk space of a request's facts, including the accompanying key writes.
pub(crate) fn bytes_max(request: &Request, along: &[KeyWrite], state: &State) -> usize {
    disk_space::keys(along) + ITEM + own_bytes_max(request, state)
}

fn own_bytes_max(request: &Request, state: &State) -> usize {
    match request {
        Request::CreateQueue(create) => {
            SETTINGS + create.settings.reference.len() * JSON + create.settings.letters.bytes_max()
        }
        Request::UpdateQueue(update) => update_queue(update, state),
        Request::DeleteQueue(_) | Request::Cursor(_) => 1024,

        Request::Produce(produce) => produced(produce, state),
        Request::Import(import) => {
            let items = import.items.iter();
            items.map(|item| ITEM + item.content.bytes_max() + item.source_id.as_ref().map_or(0, |id| id.len())).sum()
        }
        // Waiting leases and claims are served together, within a separate allowance.
        Request::Lease(_) | Request::ClaimDue(_) => LEASE,
        Request::LeaseByMessageId(lease) => ITEM + lease.message_id.len(),
        // A deadline that becomes earlier is a new record of the item.
        Request::Extend(extend) => extend.ids.len() * if extend.may_shorten { LETTER } else { 16 },
        Request::Settle(settle) => settled(settle, state),
        Request::Clear(clear) => state.letters_in(&clear.queue).saturating_mul(REMOVED),
        Request::DeleteItems(delete) => delete.ids.len() * REMOVED,

        // Each may supersede another letter, or merge with an existing one. Counting a rejection takes less than a
        // letter.
        Request::Capture(capture) => capture.letters.iter().map(|letter| LETTER + disk_space::new_letter(letter)).sum(),
        Request::ClaimById(claim) => letters(claim.letters.len()),
        Request::Archive(archive) => letters(archive.letters.len()),
        Request::Restore(restore) => restored(restore.letters.iter().copied(), state),
        Request::RestoreIfUnchanged(restore) => restored(restore.letters.iter().map(|seen| seen.id), state),
        Request::Reinstate(reinstate) => {
            let ids = reinstate.letters.iter().filter_map(|full| full.info.letter.as_ref()).map(|letter| letter.id);
            let waiting: usize = ids.map(|id| state.waiting_for(id)).sum();
            letters(waiting) + reinstate.letters.iter().map(disk_space::full_letter).sum::<usize>()
        }
        Request::Resume(resume) => {
            let actor = resume.actor.as_ref().map_or(0, |actor| JSON * actor.len());
            letters(resume.letters.len()) + resume.letters.len() * (PLAIN_ATTEMPT + actor)
        }
        Request::HandBackLetters(hand_back) => handed_back(hand_back, state),
        Request::Edit(edit) => LETTER + edit.content.as_ref().map_or(0, |content| content.bytes_max()),
        Request::Purge(purge) => purge.letters.len() * REMOVED,
        Request::ChangeIfUnchanged(change) => match change.act {
            BulkAction::Archive => letters(change.letters.len()),
            BulkAction::Purge => change.letters.len() * REMOVED,
        },
        Request::Annotate(annotate) => LETTER + annotate.note.len(),

        Request::WriteKeys(write) => disk_space::keys(&write.writes),

        Request::GetQueue(_)
        | Request::ListQueues(_)
        | Request::GetStats(_)
        | Request::GetConservation(_)
        | Request::ListItems(_)
        | Request::GetItem(_)
        | Request::GetCaptureSettings(_)
        | Request::GetLetter(_)
        | Request::ListLetters(_)
        | Request::FindLetters(_)
        | Request::Groups(_)
        | Request::GetKey(_)
        | Request::ScanKeys(_)
        | Request::ReadChanges(_) => 0,
    }
}

fn handed_back(hand_back: &HandBackLetters, state: &State) -> usize {
    let actor = hand_back.actor.as_ref().map_or(0, |actor| JSON * actor.len());
    let letters_and_items = hand_back.letters.iter().map(|HandBackLetter { letter, to, item }| {
        let message_id = item.message_id.as_ref().map_or(0, |id| id.len());
        let record = PLAIN_ATTEMPT + actor + JSON * to.as_str().len();
        letters(1 + state.waiting_for(letter.id)) + record + ITEM + item.content.bytes_max() + message_id
    });
    letters_and_items.sum()
}

fn update_queue(update: &UpdateQueue, state: &State) -> usize {
    let letters = update.letters.as_ref().map(LetterOverrides::bytes_max);
    let letters = letters.unwrap_or_else(|| state.letter_settings_bytes_max(&update.name));
    let reference = update.reference.as_ref().map_or(QueueSettings::REFERENCE_BYTES_MAX, String::len);
    SETTINGS + reference * JSON + letters
}

fn produced(produce: &Produce, state: &State) -> usize {
    let items = produce.items.iter().map(|item| {
        let remembered = item.remember_for.map_or(0, |_| REMEMBERED_ID);
        ITEM + item.content.bytes_max() + item.message_id.as_ref().map_or(0, |id| id.len()) + remembered
    });
    let answer = produce.request_id.as_ref().map_or(0, |_| disk_space::answer(produce.items.len()));
    let completed = produce.completes.as_ref();
    let completed = completed.map_or(0, |held| LETTER + PLAIN_ATTEMPT + letters(state.waiting_for_item(held.id)));
    items.sum::<usize>() + answer + completed
}

/// Completing a plain item takes very little space, and is the main way to free a full disk: if the space of a letter
/// were reserved for each, a few completes would find no space in half-empty segments.
fn settled(settle: &Settle, state: &State) -> usize {
    let is_plain = |item: &&Settlement| matches!(item.action, SettleAction::Complete { .. }) && state.is_plain(item.id);
    let (plain, others): (Vec<_>, Vec<_>) = settle.items.iter().partition(is_plain);
    let released: usize = others.iter().map(|item| letters(state.waiting_for_item(item.id))).sum();
    // The slot of a plain item may contain a letter when this is executed: a late result is then recorded with it.
    let late = plain.iter().map(|item| disk_space::settlement(&item.action)).max().unwrap_or(0);
    let settled: usize = others.iter().map(|item| disk_space::settlement(&item.action)).sum();
    released + late + plain.len().saturating_sub(1) * COMPLETED + settled
}

fn restored(restored: impl ExactSizeIterator<Item = LetterId>, state: &State) -> usize {
    let count = restored.len();
    let waiting: usize = restored.map(|id| state.waiting_for(id)).sum();
    letters(count + waiting) + count * PLAIN_ATTEMPT
}
