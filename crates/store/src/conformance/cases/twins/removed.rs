//! Verbs that remove items.

use redrive_model::transition::Transition;
use redrive_model::{Clear, DeleteItems, EndReason, Phase, Purge};

use super::Rulebook;
use super::specimens::make;
use crate::conformance::bed::Bed;

/// Letters in one request.
const LETTERS: usize = 8;

pub(in crate::conformance) async fn a_clear_of_ready_items_is_the_rule(bed: &Bed) {
    clear(bed, [true, false, false], &[Phase::Ready, Phase::Stranded]).await;
}

pub(in crate::conformance) async fn a_clear_of_leased_items_is_the_rule(bed: &Bed) {
    clear(bed, [true, true, false], &[Phase::Ready, Phase::Stranded, Phase::Leased]).await;
}

pub(in crate::conformance) async fn a_clear_of_scheduled_items_is_the_rule(bed: &Bed) {
    clear(bed, [false, true, true], &[Phase::Scheduled, Phase::Due]).await;
}

pub(in crate::conformance) async fn a_clear_of_everything_is_the_rule(bed: &Bed) {
    let all = [Phase::Ready, Phase::Stranded, Phase::Leased, Phase::Scheduled, Phase::Due];
    clear(bed, [true, true, true], &all).await;
}

async fn clear(bed: &Bed, [ready, destructive, scheduled]: [bool; 3], phases: &[Phase]) {
    let (places, mut book) = make(bed).await;
    for queue in [places.orders, places.dead, places.lost] {
        let names = book.names(&queue, |item| phases.contains(&item.phase));
        let cleared = bed.store().clear(Clear { queue, ready, destructive, scheduled }).await.unwrap();
        assert_eq!(cleared, names.len() as u64, "{names:?}");
        removed(&mut book, &names);
        book.verify("a clear").await;
    }
}

pub(in crate::conformance) async fn a_purge_is_the_rule(bed: &Bed) {
    let (places, mut book) = make(bed).await;
    let names = book.names(&places.dead, |item| item.letter().is_some());
    for names in names.chunks(LETTERS) {
        let id = |name: &String| book.items[name].item.letter().unwrap().id;
        let letters = names.iter().map(id).collect();
        let purged = bed.store().purge(Purge { queue: places.dead.clone(), letters }).await.unwrap();
        assert_eq!(purged, names.len() as u64);
        removed(&mut book, names);
        book.verify("a purge").await;
    }
}

pub(in crate::conformance) async fn a_deletion_is_the_rule(bed: &Bed) {
    let (places, mut book) = make(bed).await;
    for queue in [places.orders, places.dead, places.lost] {
        // A finished letter is removed by its own id only.
        let live = book.names(&queue, |item| item.phase.is_live());
        let finished = book.names(&queue, |item| !item.phase.is_live());
        for (names, count) in live.chunks(LETTERS).map(|names| (names, names.len())).chain([(&finished[..], 0)]) {
            let ids: Vec<_> = names.iter().map(|name| book.id(name)).collect();
            if ids.is_empty() {
                continue;
            }
            let delete = DeleteItems { queue: queue.clone(), partition: 0, ids };
            assert_eq!(bed.store().delete_items(delete).await.unwrap(), count as u64, "{names:?}");
            removed(&mut book, &names[..count]);
            book.verify("a deletion").await;
        }
    }
}

fn removed(book: &mut Rulebook<'_>, names: &[String]) {
    for name in names {
        book.apply(name, |_, _, _| Transition::Gone(EndReason::Purged));
    }
}
