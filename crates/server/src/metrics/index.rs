//! The metrics of the search projection, read when the page is rendered.

use redrive_search::{ProjectionNumbers, ProjectionState, RefillProgress};

use super::page::Page;

pub(super) fn render(numbers: &ProjectionNumbers) -> String {
    let mut page = Page::default();
    let name = "redrive_search_state";
    page.begin(name, "gauge", "1 for the current state of the projection");
    for state in ProjectionState::ALL {
        page.value(name, &[("state", state.as_str())], u8::from(state == numbers.state));
    }
    let name = "redrive_search_outbox_depth";
    page.begin(name, "gauge", "Letters waiting to be written to the index");
    page.value(name, &[], numbers.outbox_depth);
    if let Some(RefillProgress { done, total }) = numbers.refill {
        let name = "redrive_search_refill_letters";
        page.begin(name, "gauge", "During a refill of the index: letters copied so far, and the total");
        page.value(name, &[("of", "done")], done);
        page.value(name, &[("of", "total")], total);
    }
    let name = "redrive_search_lag_seconds";
    page.begin(name, "gauge", "Age of the oldest letter in the outbox");
    #[expect(clippy::cast_precision_loss, reason = "a metric is a float")]
    page.value(name, &[], numbers.lag.as_micros() as f64 / 1e6);
    let name = "redrive_search_documents_total";
    page.begin(name, "counter", "Documents, by outcome");
    let outcomes = [
        ("indexed", numbers.indexed),
        ("deleted", numbers.deleted),
        ("conflict", numbers.conflicts),
        ("quarantined", numbers.quarantined),
    ];
    for (outcome, count) in outcomes {
        page.value(name, &[("outcome", outcome)], count);
    }
    let name = "redrive_search_failures_total";
    page.begin(name, "counter", "Failed writes to the index, by reason");
    for (reason, count) in &numbers.failed {
        page.value(name, &[("reason", reason)], count);
    }
    page.into_text()
}
