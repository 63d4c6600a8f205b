//! Converts what a store shows into the items of the rules.

use redrive_core::Time;
use redrive_model::transition::{NewDocument, QueueRules, reinstated};
use redrive_model::{
    Attempt, CaptureContext, DocumentKind, DocumentRef, FullLetter, Item, ItemInfo, ItemState, OpContext, Parts, Phase,
    Stamp, StoredItem,
};

/// The slot of an item, which is the same in all its ids, and the item. Properties that the store does not show follow
/// from the settings of the queue: when a finished letter is removed, and when an exhausted one is archived.
pub(super) fn as_item(full: &FullLetter, rules: &QueueRules<'_>, queue: u32, now: Time) -> (u32, Item) {
    let (stamp, slot) = Stamp::split(full.info.id.ksuid());
    let Some(letter) = reinstated(full, rules, queue, OpContext::new(now, 0)) else {
        return (slot, Item { stamp, queue, ..plain(&full.info) });
    };
    let mut item = Item { stamp, ..letter };
    if item.phase == Phase::Ready && !item.is_hand_over_only {
        item.at = rules.archived_at(&item, now);
    }
    (slot, item)
}

fn plain(info: &ItemInfo) -> Item {
    let (phase, at) = match info.state {
        ItemState::Ready => (Phase::Ready, Time::MAX),
        ItemState::Leased { deadline } => (Phase::Leased, deadline),
        ItemState::Scheduled { at } => (Phase::Scheduled, at),
        ItemState::Due { at } => (Phase::Due, at),
        ItemState::Stranded => (Phase::Stranded, Time::MAX),
        ItemState::Finished => (Phase::Finished, Time::MAX),
        ItemState::Damaged => (Phase::Damaged, Time::MAX),
    };
    let mut item = Item {
        stamp: Stamp::default(),
        created_at: info.created_at,
        expires_at: info.expires_at.unwrap_or(Time::MAX),
        at,
        source_id: info.source_id.clone(),
        extra: None,
        place: DocumentRef::NONE,
        queue: 0,
        partition: info.partition,
        attempts: info.attempts,
        deliveries: info.deliveries,
        max_attempts: info.max_attempts,
        phase,
        priority: info.priority,
        is_hand_over_only: info.is_hand_over_only,
        is_filed: false,
    };
    item.set_first_received_at(info.first_received_at);
    if info.first_id != info.id {
        item.rare_mut().first = Some(Stamp::split(info.first_id.ksuid()).0);
    }
    item
}

/// An item with its content, without other documents.
pub(super) fn without_documents(stored: StoredItem) -> FullLetter {
    let StoredItem { info, content, .. } = stored;
    FullLetter { info, content, context: None, attempts: Vec::new(), original: None, notes: Vec::new(), parts: None }
}

/// Adds a document that a rule returned. The documents of a plain item are shown once it has become a letter.
pub(super) fn add_document(full: &mut FullLetter, document: NewDocument) {
    match document {
        NewDocument::Content(content) => full.content = content,
        NewDocument::Edited(content) => {
            let before = std::mem::replace(&mut full.content, content);
            full.original.get_or_insert(before);
        }
        NewDocument::Other(kind, bytes) => match kind {
            DocumentKind::Context => full.context = Some(CaptureContext::read(&bytes).unwrap()),
            DocumentKind::Attempt => full.attempts.push(Attempt::read(&bytes).unwrap()),
            DocumentKind::Note => full.notes.push(bytes),
            DocumentKind::Parts => full.parts = Some(Parts::read(&bytes).unwrap().0),
            // The notes for the next delivery are shown with a lease only.
            DocumentKind::LastError | DocumentKind::Verdict => {}
            DocumentKind::Original => panic!("a rule returns an edited content instead"),
        },
    }
}
