//! Compares everything that a store shows with the model.

use redrive_core::{Span, Status, Time};
use redrive_model::{
    FeedChange, FindLetters, GetItem, GetKey, GetLetter, GetQueue, GetStats, Groups, ItemInfo, ItemListKind, ListItems,
    ListLetters, ListQueues, ReadChanges, ScanKeys, StoredItem,
};

use super::perform::as_listed;
use super::read::{ALL, no_answer};
use crate::Store;
use crate::conformance::model::audit;
use crate::conformance::model::compare::{Checked, same};
use crate::conformance::model::naive::{Change, Item, Model, Queue};

/// Items on a page.
const PAGE: usize = 2;

pub(super) async fn everything(store: &dyn Store, model: &Model, now: Time) -> Checked {
    for queue in &model.queues {
        let items = audit::items_of(model, queue);
        settings(store, queue).await?;
        let stats = store.stats(GetStats { queue: queue.settings.name.clone() }).await.map_err(no_answer)?;
        audit::stats(&stats, queue, &items, now)?;
        let groups = Groups { queue: queue.settings.name.clone(), after: None, limit: ALL };
        let groups = store.failure_groups(groups).await.map_err(no_answer)?;
        audit::failure_groups(&groups, &items)?;
        same("the number of failure groups", &stats.failure_groups, &(groups.len() as u64))?;
        pages(store, queue, &items).await?;
        letters(store, queue, &items).await?;
    }
    feed(store, model).await?;
    keys(store, model).await?;
    audit::invariants(model)
}

async fn settings(store: &dyn Store, queue: &Queue) -> Checked {
    let name = &queue.settings.name;
    let found = store.queue(GetQueue { name: name.clone() }).await.map_err(no_answer)?;
    same("the settings of a queue", &found, &queue.settings)?;
    let page = ListQueues { namespace: None, pivot: Some(name.as_str().into()), limit: 1 };
    let page = store.queues(page).await.map_err(no_answer)?;
    same("a page of queues", &page, &vec![queue.settings.clone()])
}

/// Compares items by id, and pages of items.
async fn pages(store: &dyn Store, queue: &Queue, items: &[&Item]) -> Checked {
    let name = || queue.settings.name.clone();
    for item in items.iter().filter(|item| !item.is_finished()) {
        let found = store.item(GetItem { queue: name(), id: item.id() }).await.map_err(no_answer)?;
        same("an item by its id", &found, &as_listed(item))?;
    }
    for partition in 0..queue.settings.partitions {
        for which in [ItemListKind::Items, ItemListKind::Scheduled, ItemListKind::All] {
            let listed = audit::listed(items, partition, which);
            for pivot in audit::pivots(items, &listed) {
                let page = ListItems { queue: name(), partition, which, pivot: Some(pivot), limit: PAGE };
                let page = infos(store.items(page).await.map_err(no_answer)?);
                let behind = listed.iter().filter(|info| info.id.ksuid() >= pivot).take(PAGE);
                same("a page of items", &page, &behind.copied().cloned().collect())?;
            }
        }
    }
    Ok(())
}

async fn letters(store: &dyn Store, queue: &Queue, items: &[&Item]) -> Checked {
    let name = || queue.settings.name.clone();
    let letters = audit::letters(items);
    for item in items.iter().filter(|item| item.letter().is_some()) {
        let letter = item.letter_id().unwrap();
        let found = store.letter(GetLetter { queue: name(), letter }).await.map_err(no_answer)?;
        same("a letter with its documents", &found, &item.full_letter())?;
    }
    let lists = Status::ALL.iter().map(|status| vec![*status]).chain([Vec::new()]);
    for statuses in lists {
        let expected = audit::in_status(&letters, if statuses.is_empty() { Status::ALL } else { &statuses });
        let list = |after, limit| ListLetters { queue: name(), statuses: statuses.clone(), after, limit };
        let first = infos(store.letters(list(None, PAGE)).await.map_err(no_answer)?);
        let after = first.last().and_then(|info| info.letter.as_ref()).map(|letter| letter.id);
        let rest = match after {
            Some(_) => infos(store.letters(list(after, ALL)).await.map_err(no_answer)?),
            None => Vec::new(),
        };
        same(&format!("a page of letters in {statuses:?}"), &first.len(), &expected.len().min(PAGE))?;
        same(&format!("the letters in {statuses:?}"), &[first, rest].concat(), &expected)?;
    }
    found(store, &FindLetters::all(name(), ALL), &letters).await
}

/// Searches by the category, the fault and the name of each letter, and compares the results.
async fn found(store: &dyn Store, all: &FindLetters, letters: &[&ItemInfo]) -> Checked {
    for find in audit::searches(all, letters) {
        let expected = audit::found(&find, letters);
        // A page may be short without being the last.
        let mut found = Vec::new();
        let mut next = Some((find.after, None));
        while let Some((after, after_due)) = next {
            let page = FindLetters { after, after_due, limit: 5, ..find.clone() };
            let page = store.find_letters(page).await.map_err(no_answer)?;
            audit::total(&page, &expected)?;
            next = page.has_more().then_some((page.next, page.next_due));
            found.extend(page.letters);
        }
        same("the letters found by a search", &found, &expected.letters)?;
    }
    Ok(())
}

async fn feed(store: &dyn Store, model: &Model) -> Checked {
    for (cursor, position) in &model.feed.cursors {
        for limit in [ALL, PAGE] {
            let read = ReadChanges { cursor: cursor.clone(), after: None, limit, wait: Span::ZERO };
            let page = store.changes(read).await.map_err(no_answer)?;
            let entries: Vec<_> = model.feed.after(*position).take(limit).collect();
            let changes: Vec<_> = entries.iter().map(|(_, change)| shown(model, change)).collect();
            same("the feed", &page.changes, &changes)?;
            same("the feed's position", &page.position, &entries.last().map_or(*position, |(at, _)| *at))?;
            // A store may temporarily count letters of a deleted queue.
            if page.depth < model.feed.entries.len() {
                return Err(format!("the depth is {}, expected at least {}", page.depth, model.feed.entries.len()));
            }
        }
    }
    Ok(())
}

fn shown(model: &Model, change: &Change) -> FeedChange {
    match change {
        Change::Letter(number) => {
            let item = model.item(*number);
            let queue = model.queue(item.queue).settings.name.clone();
            FeedChange::Now { queue, letter: Box::new(item.full_letter()) }
        }
        Change::LetterGone { queue, letter } => FeedChange::Gone { queue: queue.clone(), letter: *letter },
        Change::QueueGone { queue } => FeedChange::QueueGone { queue: queue.clone() },
    }
}

async fn keys(store: &dyn Store, model: &Model) -> Checked {
    for (key, entry) in &model.keys.entries {
        let found = store.key(GetKey { key: key.clone() }).await.map_err(no_answer)?;
        let found = found.map(|found| (found.value, Some(found.version)));
        same("a key", &found, &Some((entry.value.clone(), entry.version)))?;
        let scan = ScanKeys { prefix: key.clone(), from: Default::default(), limit: ALL };
        let found: Vec<_> = store.keys(scan).await.map_err(no_answer)?.into_iter().map(|entry| entry.key).collect();
        let expected: Vec<_> = model.keys.entries.keys().filter(|other| other.starts_with(key)).cloned().collect();
        same("the keys with a prefix", &found, &expected)?;
    }
    Ok(())
}

fn infos(items: Vec<StoredItem>) -> Vec<ItemInfo> {
    items.into_iter().map(|item| item.info).collect()
}
