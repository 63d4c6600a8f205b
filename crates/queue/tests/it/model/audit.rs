//! Compares the replies of all read requests with the model.

use std::collections::BTreeSet;
use std::sync::Arc;

use redrive_core::{Span, Status, Time};
use redrive_model::{
    Attempt, CaptureContext, Content, DocumentRef, FindLetters, FoundLetters, GetItem, GetLetter, GetStats, Groups,
    ItemInfo, ListLetters, ListQueues, Parts, ReadChanges,
};
use redrive_queue::{KeptDocuments, LetterChange, LocatedItem, State, View};
use redrive_store::conformance::model::audit::{self, items_of};
use redrive_store::conformance::model::naive::{Change, Document, Item, Model, Queue};

use super::compare::{ALL, AllPlaces, Checked, Places, same};
use super::machine::Machine;

pub(crate) fn everything(machine: &Machine, model: &Model, places: &AllPlaces, now: Time) -> Checked {
    let state = &machine.state;
    let shown = ListQueues { namespace: None, pivot: None, limit: ALL }.view(state);
    same("the queues", &shown, &audit::queues(model))?;
    for queue in &model.queues {
        let items = items_of(model, queue);
        let name = || queue.settings.name.clone();
        let stats = state.stats(&GetStats { queue: name() }, now).map_err(broken)?;
        audit::stats(&stats, queue, &items, now)?;
        letters(state, queue, &items)?;
        let groups = Groups { queue: name(), after: None, limit: ALL }.view(state).map_err(broken)?;
        audit::failure_groups(&groups, &items)?;
    }
    for item in model.items.iter().filter(|item| !item.is_finished()) {
        let queue = model.queue(item.queue).settings.name.clone();
        same(
            "an item by its id",
            &GetItem { queue, id: item.id() }.view(state).map(|found| found.info),
            &Ok(item.info.clone()),
        )?;
    }
    feed(state, model, places)?;
    audit::invariants(model)?;
    if machine.facts.is_empty() { documents(machine, model, places) } else { Ok(()) }
}

fn letters(state: &State, queue: &Queue, items: &[&Item]) -> Checked {
    let name = || queue.settings.name.clone();
    let letters = audit::letters(items);
    for status in Status::ALL {
        let list = ListLetters { queue: name(), statuses: vec![*status], after: None, limit: ALL };
        let expected = audit::in_status(&letters, &[*status]);
        same(&format!("the {status} letters"), &infos(list.view(state).map_err(broken)?), &expected)?;
    }
    let first = ListLetters { queue: name(), statuses: Vec::new(), after: None, limit: 2 };
    let first = infos(first.view(state).map_err(broken)?);
    let all = audit::in_status(&letters, Status::ALL);
    same("the first two letters", &first, &all.iter().take(2).cloned().collect())?;
    let after = first.last().and_then(|info| info.letter.as_ref()).map(|letter| letter.id);
    let rest = ListLetters { queue: name(), statuses: Vec::new(), after, limit: ALL }.view(state).map_err(broken)?;
    same("the other letters", &infos(rest), &all.into_iter().skip(2).collect())?;
    for info in &letters {
        let letter = info.letter.as_ref().map(|letter| letter.id).ok_or("no letter")?;
        same(
            "a letter by its id",
            &GetLetter { queue: name(), letter }.view(state).map(|found| found.info),
            &Ok((*info).clone()),
        )?;
    }
    found(state, &FindLetters::all(name(), ALL), &letters)
}

/// Searches by the category, fingerprint and source id of each letter return all letters that share them.
fn found(state: &State, find: &FindLetters, letters: &[&ItemInfo]) -> Checked {
    for find in audit::searches(find, letters) {
        let all = find.view(state).map_err(broken)?;
        let expected = audit::found(&find, letters);
        audit::total(&all, &expected)?;
        same("the found letters", &FoundLetters { total: expected.total, ..all.clone() }, &expected)?;
        let first = FindLetters { limit: 1, ..find.clone() }.view(state).map_err(broken)?;
        let rest = FindLetters { after: first.next, after_due: first.next_due, ..find.clone() };
        let rest = if first.has_more() { rest.view(state).map_err(broken)?.letters } else { Vec::new() };
        same("the found letters in two pages", &[first.letters, rest].concat(), &all.letters)?;
    }
    Ok(())
}

fn feed(state: &State, model: &Model, places: &AllPlaces) -> Checked {
    for (cursor, position) in &model.feed.cursors {
        for limit in [ALL, 2] {
            let page = ReadChanges { cursor: cursor.clone(), after: None, limit, wait: Span::ZERO }
                .view(state)
                .map_err(broken)?;
            let entries: Vec<_> = model.feed.after(*position).take(limit).collect();
            let changes: Vec<_> = entries.iter().map(|(_, change)| expected_change(model, places, change)).collect();
            same("the feed", &page.changes, &changes)?;
            same("the feed's position", &page.position, &entries.last().map_or(*position, |(at, _)| *at))?;
            // Letters that were deleted with their queue are counted until their slots are reclaimed.
            let is_reclaimed = state.items_in_slots() == model.items.len() as u64;
            let depth = model.feed.entries.len();
            if page.depth < depth || is_reclaimed && page.depth > depth {
                return Err(format!("{} changes wait instead of {depth}", page.depth));
            }
        }
    }
    Ok(())
}

fn expected_change(model: &Model, places: &AllPlaces, change: &Change) -> LetterChange {
    match change {
        Change::Letter(number) => {
            let item = model.item(*number);
            let queue = model.queue(item.queue).settings.name.clone();
            let Places { content, documents } = places[number].clone();
            LetterChange::Now { queue, item: Box::new(LocatedItem { info: item.info.clone(), content, documents }) }
        }
        Change::LetterGone { queue, letter } => LetterChange::Gone { queue: queue.clone(), letter: *letter },
        Change::QueueGone { queue } => LetterChange::QueueGone { queue: queue.clone() },
    }
}

/// Every stored document equals the original.
fn documents(machine: &Machine, model: &Model, places: &AllPlaces) -> Checked {
    let is_reclaimed = machine.state.items_in_slots() == model.items.len() as u64;
    if let Some(stored) = machine.documents().filter(|_| is_reclaimed) {
        let held: usize = places.values().map(|places| records(places).len()).sum();
        same("the number of stored documents", &stored, &held)?;
    }
    for item in &model.items {
        let places = &places[&item.number];
        let content = Content::read(&machine.kept(places.content)?.document).map_err(broken)?;
        same("a content", &content, &*item.content)?;
        for (shown, expected) in places.documents.iter().zip(&item.documents) {
            let KeptDocuments { document, header } = machine.kept(shown.place)?;
            let (context, attempt) = match header {
                Some(header) => (header.context, header.attempt),
                None => (document.clone(), document.clone()),
            };
            let found = match expected {
                Document::Context(_) => {
                    CaptureContext::read(&context).map(Box::new).map(Document::Context).map_err(broken)
                }
                Document::Attempt(_) => Attempt::read(&attempt).map(Box::new).map(Document::Attempt).map_err(broken),
                Document::Original(_) => Content::read(&document).map(Arc::new).map(Document::Original).map_err(broken),
                Document::Note(_) => Ok(Document::Note(document)),
                Document::LastError(_) => String::from_utf8(document.to_vec()).map(Document::LastError).map_err(broken),
                Document::Verdict(_) => String::from_utf8(document.to_vec()).map(Document::Verdict).map_err(broken),
                Document::Parts(_) => Parts::read(&document).map(|parts| Document::Parts(parts.0)).map_err(broken),
            };
            same("a document", &found?, expected)?;
        }
    }
    Ok(())
}

/// The records of an item's documents. The header of a captured letter is in the record of its content.
fn records(places: &Places) -> BTreeSet<DocumentRef> {
    places.documents.iter().map(|document| document.place).chain([places.content]).collect()
}

fn infos(items: Vec<LocatedItem>) -> Vec<ItemInfo> {
    items.into_iter().map(|item| item.info).collect()
}

/// The message of a request that failed unexpectedly.
fn broken(error: impl std::fmt::Display) -> String {
    format!("the request failed: {error}")
}
