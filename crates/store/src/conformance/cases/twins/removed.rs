//! Operations that remove items.

use redrive_model::transition::Transition;
use redrive_model::{Clear, DeleteItems, EndReason, Phase, Purge};

use super::RuleModel;
use super::specimens::make;
use crate::conformance::fixture::StoreFixture;

/// Letters in one request.
const LETTERS: usize = 8;

pub(in crate::conformance) async fn a_clear_of_ready_items_is_the_rule(fixture: &StoreFixture) {
    clear(fixture, [true, false, false], &[Phase::Ready, Phase::Stranded]).await;
}

pub(in crate::conformance) async fn a_clear_of_leased_items_is_the_rule(fixture: &StoreFixture) {
    clear(fixture, [true, true, false], &[Phase::Ready, Phase::Stranded, Phase::Leased]).await;
}

pub(in crate::conformance) async fn a_clear_of_scheduled_items_is_the_rule(fixture: &StoreFixture) {
    clear(fixture, [false, true, true], &[Phase::Scheduled, Phase::Due]).await;
}

pub(in crate::conformance) async fn a_clear_of_everything_is_the_rule(fixture: &StoreFixture) {
    let all = [Phase::Ready, Phase::Stranded, Phase::Leased, Phase::Scheduled, Phase::Due];
    clear(fixture, [true, true, true], &all).await;
}

async fn clear(fixture: &StoreFixture, [ready, destructive, scheduled]: [bool; 3], phases: &[Phase]) {
    let (queues, mut model) = make(fixture).await;
    for queue in [queues.orders, queues.dead, queues.lost] {
        let names = model.names(&queue, |item| phases.contains(&item.phase));
        let cleared = fixture.store().clear(Clear { queue, ready, destructive, scheduled }).await.unwrap();
        assert_eq!(cleared, names.len() as u64, "{names:?}");
        removed(&mut model, &names);
        model.verify("a clear").await;
    }
}

pub(in crate::conformance) async fn a_purge_is_the_rule(fixture: &StoreFixture) {
    let (queues, mut model) = make(fixture).await;
    let names = model.names(&queues.dead, |item| item.letter().is_some());
    for names in names.chunks(LETTERS) {
        let id = |name: &String| model.items[name].item.letter().unwrap().id;
        let letters = names.iter().map(id).collect();
        let purged = fixture.store().purge(Purge { queue: queues.dead.clone(), letters }).await.unwrap();
        assert_eq!(purged, names.len() as u64);
        removed(&mut model, names);
        model.verify("a purge").await;
    }
}

pub(in crate::conformance) async fn a_deletion_is_the_rule(fixture: &StoreFixture) {
    let (queues, mut model) = make(fixture).await;
    for queue in [queues.orders, queues.dead, queues.lost] {
        // A finished letter can only be removed by its letter id.
        let live = model.names(&queue, |item| item.phase.is_live());
        let finished = model.names(&queue, |item| !item.phase.is_live());
        for (names, count) in live.chunks(LETTERS).map(|names| (names, names.len())).chain([(&finished[..], 0)]) {
            let ids: Vec<_> = names.iter().map(|name| model.id(name)).collect();
            if ids.is_empty() {
                continue;
            }
            let delete = DeleteItems { queue: queue.clone(), partition: 0, ids };
            assert_eq!(fixture.store().delete_items(delete).await.unwrap(), count as u64, "{names:?}");
            removed(&mut model, &names[..count]);
            model.verify("a deletion").await;
        }
    }
}

fn removed(model: &mut RuleModel<'_>, names: &[String]) {
    for name in names {
        model.apply(name, |_, _, _| Transition::Gone(EndReason::Purged));
    }
}
