//! What happens when time passes: items are promoted, expire, lose their holders, are archived and forgotten.

use redrive_core::{Span, Time};
use redrive_model::transition::due;
use redrive_model::{CreateQueue, LifetimeCounts, QueueSettings};

use super::Rulebook;
use super::specimens::make;
use crate::conformance::bed::Bed;
use crate::conformance::words::INSTANT;

/// Things that have happened by themselves when a request is answered, if they were due.
const AT_ONCE: usize = 10;

pub(in crate::conformance) async fn what_time_does_is_the_rule(bed: &Bed) {
    let (places, mut book) = make(bed).await;
    // Stranded items look for their dead queue, and find none.
    pass(bed, &mut book, bed.after(Span::from_secs(6))).await;
    let settings = QueueSettings::new(places.missing);
    let settings = bed.store().create_queue(CreateQueue { settings }).await.unwrap();
    book.add_queue(settings, LifetimeCounts::default());
    // A day later, everything has expired.
    pass(bed, &mut book, bed.after(Span::from_hours(25))).await;
    assert!(book.next_timer().is_none_or(|at| at > bed.now()));
}

/// Lets time pass until then, from one event to the next: an instant before each, nothing has changed.
async fn pass(bed: &Bed, book: &mut Rulebook<'_>, until: Time) {
    while let Some(at) = book.next_timer().filter(|at| *at <= until) {
        let before = at.saturating_sub(INSTANT);
        if before > bed.now() {
            bed.clock.set(before);
            book.verify(&format!("nothing until {before}")).await;
        }
        bed.clock.set(at.max(bed.now()));
        let happened = happen(book);
        for _ in 0..=happened / AT_ONCE {
            bed.store().conservation(redrive_model::GetConservation).await.unwrap();
        }
        book.verify(&format!("what is due at {at}")).await;
    }
    bed.clock.set(until);
}

/// Everything that is due happens, by the rules; gives how much.
fn happen(book: &mut Rulebook<'_>) -> usize {
    let op = book.op();
    let mut happened = 0;
    loop {
        let is_due = |at: Time| at <= op.now;
        let items = book.items.iter().filter(|(_, ruled)| ruled.item.timer().is_some_and(is_due));
        let names: Vec<String> = items.map(|(name, _)| name.clone()).collect();
        if names.is_empty() {
            return happened;
        }
        happened += names.len();
        for name in names {
            book.apply(&name, |item, rules, stamps| due(item, rules, op, stamps));
        }
    }
}
