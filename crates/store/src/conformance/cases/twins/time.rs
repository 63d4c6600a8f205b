//! Timed transitions: items are promoted, expire, lose their leases, are archived and removed.

use redrive_core::{Span, Time};
use redrive_model::transition::due;
use redrive_model::{CreateQueue, LifetimeCounts, QueueSettings};

use super::RuleModel;
use super::specimens::make;
use crate::conformance::fixture::StoreFixture;
use crate::conformance::samples::INSTANT;

/// The number of due transitions that a request must see.
const AT_ONCE: usize = 10;

pub(in crate::conformance) async fn what_time_does_is_the_rule(fixture: &StoreFixture) {
    let (queues, mut model) = make(fixture).await;
    // Stranded items look up their dead queue, which is still missing.
    pass_time(fixture, &mut model, fixture.after(Span::from_secs(6))).await;
    let settings = QueueSettings::new(queues.missing);
    let settings = fixture.store().create_queue(CreateQueue { settings }).await.unwrap();
    model.add_queue(settings, LifetimeCounts::default());
    // A day later, everything has expired.
    pass_time(fixture, &mut model, fixture.after(Span::from_hours(25))).await;
    assert!(model.next_timer().is_none_or(|at| at > fixture.now()));
}

/// Advances the clock from one timer to the next, up to `until`. An instant before each timer nothing must have
/// changed.
async fn pass_time(fixture: &StoreFixture, model: &mut RuleModel<'_>, until: Time) {
    while let Some(at) = model.next_timer().filter(|at| *at <= until) {
        let before = at.saturating_sub(INSTANT);
        if before > fixture.now() {
            fixture.clock.set(before);
            model.verify(&format!("nothing until {before}")).await;
        }
        fixture.clock.set(at.max(fixture.now()));
        let happened = fire_due(model);
        for _ in 0..=happened / AT_ONCE {
            fixture.store().conservation(redrive_model::GetConservation).await.unwrap();
        }
        model.verify(&format!("what is due at {at}")).await;
    }
    fixture.clock.set(until);
}

/// Applies the rules of all due timers and returns their number.
fn fire_due(model: &mut RuleModel<'_>) -> usize {
    let op = model.op();
    let mut happened = 0;
    loop {
        let is_due = |at: Time| at <= op.now;
        let items = model.items.iter().filter(|(_, modeled)| modeled.item.timer().is_some_and(is_due));
        let names: Vec<String> = items.map(|(name, _)| name.clone()).collect();
        if names.is_empty() {
            return happened;
        }
        happened += names.len();
        for name in names {
            model.apply(&name, |item, rules, stamps| due(item, rules, op, stamps));
        }
    }
}
