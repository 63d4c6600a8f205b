//! The metrics of the search projection, read when the page is rendered.

use redrive_search::{ProjectionNumbers, ProjectionState, RefillProgress};

use super::page::{Page, seconds};

pub(crate) fn render(numbers: &ProjectionNumbers) -> String {
    let mut page = Page::default();
    let states =
        ProjectionState::ALL.into_iter().map(|state| ([("state", state.as_str())], u8::from(state == numbers.state)));
    page.metric("redrive_search_state", "gauge", "1 for the current state of the projection", states);
    let depth = [([], numbers.outbox_depth)];
    page.metric("redrive_search_outbox_depth", "gauge", "Letters waiting to be written to the index", depth);
    if let Some(RefillProgress { done, total }) = numbers.refill {
        let letters = [([("of", "done")], done), ([("of", "total")], total)];
        let help = "During a refill of the index: letters copied so far, and the total";
        page.metric("redrive_search_refill_letters", "gauge", help, letters);
    }
    let lag = [([], seconds(numbers.lag))];
    page.metric("redrive_search_lag_seconds", "gauge", "Age of the oldest letter in the outbox", lag);
    let outcomes = [
        ([("outcome", "indexed")], numbers.indexed),
        ([("outcome", "deleted")], numbers.deleted),
        ([("outcome", "conflict")], numbers.conflicts),
        ([("outcome", "quarantined")], numbers.quarantined),
    ];
    page.metric("redrive_search_documents_total", "counter", "Documents, by outcome", outcomes);
    let failed = numbers.failed.iter().map(|(reason, count)| ([("reason", *reason)], count));
    page.metric("redrive_search_failures_total", "counter", "Failed writes to the index, by reason", failed);
    page.into_text()
}
