//! A look at everything that can be asked.

use std::collections::BTreeSet;
use std::sync::Arc;

use redrive_core::{Ksuid, LetterId, Span, Status, Time};
use redrive_model::{
    Attempt, CaptureContext, Content, DocumentRef, EndReason, Event, FindLetters, FoundLetters, GetItem, GetLetter,
    GetStats, Groups, ItemInfo, ItemState, LetterCounts, ListLetters, ListQueues, PartitionStats, Parts, QueueSettings,
    QueueStats, ReadChanges,
};
use redrive_queue::{KeptDocuments, LetterChange, LocatedItem, State, View};

use super::compare::{ALL, Checked, same};
use super::machine::Machine;
use super::naive::{Change, Document, Item, Model, Places, Queue};

pub(crate) fn everything(machine: &Machine, model: &Model, now: Time) -> Checked {
    let state = &machine.state;
    let shown = ListQueues { namespace: None, pivot: None, limit: ALL }.view(state);
    let mut expected: Vec<QueueSettings> = model.queues.iter().map(|queue| queue.settings.clone()).collect();
    expected.sort_by(|one, other| one.name.cmp(&other.name));
    same("the queues", &shown, &expected)?;
    for queue in &model.queues {
        let items: Vec<&Item> = model.items.iter().filter(|item| item.queue == queue.number).collect();
        stats(state, queue, &items, now)?;
        letters(state, queue, &items)?;
        faults(state, queue, &items)?;
    }
    for item in model.items.iter().filter(|item| !item.is_finished()) {
        let queue = model.queue(item.queue).settings.name.clone();
        same(
            "an item by its id",
            &GetItem { queue, id: item.id() }.view(state).map(|found| found.info),
            &Ok(item.info.clone()),
        )?;
    }
    feed(state, model)?;
    invariants(model)?;
    if machine.facts.is_empty() { documents(machine, model) } else { Ok(()) }
}

fn stats(state: &State, queue: &Queue, items: &[&Item], now: Time) -> Checked {
    let name = queue.settings.name.clone();
    let stats = state.stats(&GetStats { queue: name.clone() }, now).map_err(broken)?;
    let partitions: Vec<PartitionStats> =
        (0..queue.settings.partitions).map(|partition| of_partition(partition, items, now)).collect();
    same("the numbers of partitions", &stats.partitions, &partitions)?;
    for why in Event::ALL {
        let expected = queue.events.get(&why).copied().unwrap_or(0);
        same(&format!("how often {why:?} happened in {name}"), &stats.tally.of(why), &expected)?;
    }
    for ending in EndReason::ALL {
        let expected = queue.ends.get(&ending).copied().unwrap_or(0);
        same(&format!("how many {ending:?} there were in {name}"), &stats.tally.ended(ending), &expected)?;
    }
    let mut counts = LetterCounts::default();
    for letter in items.iter().filter_map(|item| item.letter()) {
        counts.by_status[letter.status as usize] += 1;
        if letter.status.is_live() {
            counts.by_category[letter.category as usize] += 1;
            counts.by_policy[letter.policy as usize] += 1;
        }
    }
    counts.overflow = items.iter().filter(|item| item.is_in_line()).count() as u64;
    let is_pending = |item: &Item| item.letter().is_some_and(|letter| letter.status == Status::Pending);
    counts.blocked = items.iter().filter(|item| item.is_blocked() && is_pending(item)).count() as u64;
    same("the counts of letters", &stats.letters, &counts)?;
    let pending = items.iter().filter(|item| is_pending(item));
    let oldest = pending.min_by_key(|item| item.letter_id()).map(|item| item.info.created_at);
    same("when the oldest pending letter came", &stats.oldest_pending_at, &oldest)?;
    let overdue = items.iter().filter_map(|item| item.due()).filter(|due| *due <= now).count() as u64;
    same("how many letters are overdue", &stats.overdue, &overdue)?;
    unaccounted(queue, &stats)?;
    same("the next due time", &stats.next_due_at, &items.iter().filter_map(|item| item.due()).min())
}

/// Each letter that came to be is there, was removed by somebody, or went when its time was over.
fn unaccounted(queue: &Queue, stats: &QueueStats) -> Checked {
    let present: u64 = stats.letters.by_status.iter().sum();
    let gone = stats.tally.of(Event::LetterCleared) + stats.tally.of(Event::LetterForgotten);
    same(&format!("the letters of {}", queue.settings.name), &stats.tally.of(Event::LetterMade), &(present + gone))
}

fn of_partition(partition: u32, items: &[&Item], now: Time) -> PartitionStats {
    let here = || items.iter().filter(|item| item.info.partition == partition && !item.is_finished());
    let present = || here().filter(|item| !item.is_scheduled());
    let leased = || present().filter(|item| item.is_leased());
    let created = |item: &&&Item| i128::from(item.info.created_at.as_micros());
    PartitionStats {
        partition,
        total: present().count() as u64,
        leased: leased().count() as u64,
        scheduled: here().filter(|item| item.is_scheduled()).count() as u64,
        stranded: present().filter(|item| item.info.state == ItemState::Stranded).count() as u64,
        average_age: mean_age(&present().map(|item| created(&item)).collect::<Vec<_>>(), now),
        average_leased_age: mean_age(&leased().map(|item| created(&item)).collect::<Vec<_>>(), now),
    }
}

fn mean_age(created: &[i128], now: Time) -> Span {
    let Some(count) = i128::try_from(created.len()).ok().filter(|count| *count > 0) else { return Span::ZERO };
    let mean = created.iter().sum::<i128>().div_euclid(count);
    Span::from_micros(u64::try_from(i128::from(now.as_micros()) - mean).unwrap_or(0))
}

fn letters(state: &State, queue: &Queue, items: &[&Item]) -> Checked {
    let name = || queue.settings.name.clone();
    let mut letters: Vec<&ItemInfo> =
        items.iter().filter(|item| item.letter().is_some()).map(|item| &item.info).collect();
    letters.sort_by_key(|info| info.letter.as_ref().map(|letter| letter.id));
    let of = |statuses: &[Status]| -> Vec<ItemInfo> {
        let is_wanted = |info: &&ItemInfo| info.letter.as_ref().is_some_and(|letter| statuses.contains(&letter.status));
        letters.iter().copied().filter(is_wanted).cloned().collect()
    };
    for status in Status::ALL {
        let list = ListLetters { queue: name(), statuses: vec![*status], after: None, limit: ALL };
        same(&format!("the {status} letters"), &infos(list.view(state).map_err(broken)?), &of(&[*status]))?;
    }
    let first = ListLetters { queue: name(), statuses: Vec::new(), after: None, limit: 2 };
    let first = infos(first.view(state).map_err(broken)?);
    let all = of(Status::ALL);
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

/// Letters by what they are: each one's own category, fault and name find it, and all that share them.
fn found(state: &State, find: &FindLetters, letters: &[&ItemInfo]) -> Checked {
    for info in letters {
        let Some(letter) = &info.letter else { continue };
        let source_id = info.source_id.as_deref().map(ToOwned::to_owned);
        let finds = [
            FindLetters { statuses: vec![letter.status], ..find.clone() },
            FindLetters { category: Some(letter.category), ..find.clone() },
            FindLetters { fingerprint: Some(letter.fingerprint), statuses: vec![letter.status], ..find.clone() },
            FindLetters { source_id, after: Some(LetterId::new(Ksuid::MIN)), ..find.clone() },
        ];
        for find in finds {
            let all = find.view(state).map_err(broken)?;
            let wanted = letters.iter().copied().filter(|info| is_meant(&find, info));
            let wanted = FoundLetters { letters: wanted.cloned().collect(), next: None };
            same("the letters that are found", &all, &wanted)?;
            let first = FindLetters { limit: 1, ..find.clone() }.view(state).map_err(broken)?;
            let rest = FindLetters { after: first.next, ..find.clone() };
            let rest = if first.next.is_some() { rest.view(state).map_err(broken)?.letters } else { Vec::new() };
            same("the same in two pages", &[first.letters, rest].concat(), &all.letters)?;
        }
    }
    Ok(())
}

fn is_meant(find: &FindLetters, info: &ItemInfo) -> bool {
    info.letter.as_ref().is_some_and(|letter| {
        (find.statuses.is_empty() || find.statuses.contains(&letter.status))
            && find.category.is_none_or(|category| category == letter.category)
            && find.fingerprint.is_none_or(|fingerprint| fingerprint == letter.fingerprint)
            && find.source_id.as_deref().is_none_or(|source_id| info.source_id.as_deref() == Some(source_id))
    })
}

/// Groups of live letters. When a fault was first and last seen may be further apart than its letters of today:
/// those that are gone were seen, too.
fn faults(state: &State, queue: &Queue, items: &[&Item]) -> Checked {
    let groups = Groups { queue: queue.settings.name.clone(), after: None, limit: ALL }.view(state).map_err(broken)?;
    let live = || items.iter().filter_map(|item| item.letter()).filter(|letter| letter.status.is_live());
    let mut fingerprints: Vec<_> = live().map(|letter| letter.fingerprint).collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    same("the faults", &groups.iter().map(|group| group.fingerprint).collect(), &fingerprints)?;
    for group in groups {
        let of_group = || live().filter(|letter| letter.fingerprint == group.fingerprint);
        same("how many letters a fault has", &group.count, &(of_group().count() as u64))?;
        let is_covered = of_group()
            .all(|letter| group.first_seen <= letter.first_failed_at && group.last_seen >= letter.last_failed_at);
        same("whether a fault covers its letters", &is_covered, &true)?;
    }
    Ok(())
}

fn feed(state: &State, model: &Model) -> Checked {
    for (cursor, position) in &model.feed.cursors {
        for limit in [ALL, 2] {
            let page = ReadChanges { cursor: cursor.clone(), after: None, limit, wait: Span::ZERO }
                .view(state)
                .map_err(broken)?;
            let entries: Vec<_> = model.feed.after(*position).take(limit).collect();
            let changes: Vec<_> = entries.iter().map(|(_, change)| told(model, change)).collect();
            same("the feed", &page.changes, &changes)?;
            same("the feed's position", &page.position, &entries.last().map_or(*position, |(at, _)| *at))?;
            // Letters that went with their queue are counted until their room is given back.
            let is_room_given_back = state.items_in_slots() == model.items.len() as u64;
            let depth = model.feed.entries.len();
            if page.depth < depth || is_room_given_back && page.depth > depth {
                return Err(format!("{} changes wait instead of {depth}", page.depth));
            }
        }
    }
    Ok(())
}

fn told(model: &Model, change: &Change) -> LetterChange {
    match change {
        Change::Letter(number) => {
            let item = model.item(*number);
            let queue = model.queue(item.queue).settings.name.clone();
            let Places { content, documents } = item.places.clone();
            LetterChange::Now { queue, item: Box::new(LocatedItem { info: item.info.clone(), content, documents }) }
        }
        Change::LetterGone { queue, letter } => LetterChange::Gone { queue: queue.clone(), letter: *letter },
        Change::QueueGone { queue } => LetterChange::QueueGone { queue: queue.clone() },
    }
}

/// What must be so whatever the rules for single operations are.
fn invariants(model: &Model) -> Checked {
    let live: Vec<&Item> = model.items.iter().filter(|item| !item.is_finished()).collect();
    for (at, one) in live.iter().enumerate() {
        for other in live[at + 1..].iter().filter(|other| other.queue == one.queue) {
            let same_source = one.info.source_id.is_some() && one.info.source_id == other.info.source_id;
            let same_message = one.coordinates.is_some() && one.coordinates == other.coordinates;
            if same_source || same_message {
                return Err(format!("two live items of one message: {:?} and {:?}", one.info, other.info));
            }
        }
    }
    match model.items.iter().filter_map(Item::letter).find(|letter| letter.total_attempts < 1 + letter.retries) {
        Some(letter) => Err(format!("more failed retries than attempts: {letter:?}")),
        None => Ok(()),
    }
}

/// Every document is what was given.
fn documents(machine: &Machine, model: &Model) -> Checked {
    let is_room_given_back = machine.state.items_in_slots() == model.items.len() as u64;
    if let Some(kept) = machine.documents().filter(|_| is_room_given_back) {
        let held: usize = model.items.iter().map(|item| records(&item.places).len()).sum();
        same("how many documents are kept", &kept, &held)?;
    }
    for item in &model.items {
        let content = Content::read(&machine.kept(item.places.content)?.document).map_err(broken)?;
        same("a content", &content, &*item.content)?;
        for (shown, expected) in item.places.documents.iter().zip(&item.documents) {
            let KeptDocuments { document, header } = machine.kept(shown.place)?;
            let (context, attempt) = match header {
                Some(header) => (header.context, header.attempt),
                None => (document.clone(), document.clone()),
            };
            let found = match expected {
                Document::Dossier(_) => {
                    CaptureContext::read(&context).map(Box::new).map(Document::Dossier).map_err(broken)
                }
                Document::Attempt(_) => Attempt::read(&attempt).map(Box::new).map(Document::Attempt).map_err(broken),
                Document::Original(_) => Content::read(&document).map(Arc::new).map(Document::Original).map_err(broken),
                Document::Note(_) => Ok(Document::Note(document)),
                Document::Parts(_) => Parts::read(&document).map(|parts| Document::Parts(parts.0)).map_err(broken),
            };
            same("a document", &found?, expected)?;
        }
    }
    Ok(())
}

/// Where its documents stand. A captured letter has its papers with its content.
fn records(places: &Places) -> BTreeSet<DocumentRef> {
    places.documents.iter().map(|document| document.place).chain([places.content]).collect()
}

fn infos(items: Vec<LocatedItem>) -> Vec<ItemInfo> {
    items.into_iter().map(|item| item.info).collect()
}

/// What cannot be read at all.
fn broken(error: impl std::fmt::Display) -> String {
    format!("there is no answer: {error}")
}
