//! Compares partial reads: from a pivot on, up to a limit, for a part of the destinations.

use std::sync::Arc;

use redrive_core::Span;
use redrive_model::{ClaimDue, DestinationFilter, GetKey, ItemListKind, ListItems, ListQueues, ScanKeys};
use redrive_queue::{State, View};
use redrive_store::conformance::model::audit::{items_of, listed, pivots};
use redrive_store::conformance::model::naive::{Item, Model, Queue};

use super::compare::{ALL, Checked, same};

const LIMIT: usize = 2;

pub(crate) fn every_page(state: &State, model: &Model) -> Checked {
    for queue in &model.queues {
        let items = items_of(model, queue);
        for partition in 0..queue.settings.partitions {
            for which in [ItemListKind::Items, ItemListKind::Scheduled, ItemListKind::All] {
                lists(state, queue, partition, which, &items)?;
            }
        }
        availability(state, queue, &items)?;
        let list = ListQueues { namespace: None, pivot: Some(queue.settings.name.as_str().into()), limit: 1 };
        same("a page of queues", &list.view(state), &vec![queue.settings.clone()])?;
    }
    keys(state, model)
}

/// The pivot is inclusive; a pivot without an item continues at the next greater id.
fn lists(state: &State, queue: &Queue, partition: u32, which: ItemListKind, items: &[&Item]) -> Checked {
    let listed = listed(items, partition, which);
    for pivot in pivots(items, &listed) {
        let list = ListItems { queue: queue.settings.name.clone(), partition, which, pivot: Some(pivot), limit: LIMIT };
        let page = list.view(state).map_err(|rejection| rejection.to_string())?;
        let expected = listed.iter().filter(|info| info.id.ksuid() >= pivot).take(LIMIT);
        let page = page.into_iter().map(|item| item.info).collect();
        same("a page of items", &page, &expected.copied().cloned().collect::<Vec<_>>())?;
    }
    Ok(())
}

/// The number of items that can be leased, and the next due time.
fn availability(state: &State, queue: &Queue, items: &[&Item]) -> Checked {
    let is_open = !queue.settings.is_paused;
    let ready = items.iter().filter(|item| is_open && item.is_ready()).count() as u64;
    same("the number of available items", &state.available(queue.number), &ready)?;
    for scope in [
        DestinationFilter::all(),
        DestinationFilter::AllBut(vec![Arc::from("x")]),
        DestinationFilter::Only(vec![Arc::from("x")]),
    ] {
        let is_in_scope = |item: &Item| item.letter().is_some_and(|letter| scope.covers(&letter.destination));
        let due = items.iter().filter(|item| is_open && is_in_scope(item)).filter_map(|item| item.due()).min();
        let claim = ClaimDue {
            queue: queue.settings.name.clone(),
            batch: 1,
            lease: Span::from_secs(1),
            scope,
            wait: Span::ZERO,
        };
        same("the next due time of a claim", &state.next_due(&claim), &due)?;
    }
    Ok(())
}

fn keys(state: &State, model: &Model) -> Checked {
    for (key, entry) in &model.keys.entries {
        let found = GetKey { key: key.clone() }.view(state).map(|found| (found.value, Some(found.version)));
        same("a key", &found, &Some((entry.value.clone(), entry.version)))?;
        let scan = ScanKeys { prefix: key.clone(), from: Default::default(), limit: ALL };
        let found: Vec<_> = scan.view(state).into_iter().map(|entry| entry.key).collect();
        let expected: Vec<_> = model.keys.entries.keys().filter(|other| other.starts_with(key)).cloned().collect();
        same("the keys with a prefix", &found, &expected)?;
    }
    Ok(())
}
