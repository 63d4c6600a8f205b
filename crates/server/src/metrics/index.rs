//! The numbers of the projection, as they are when somebody looks.

use redrive_search::{ProjectionNumbers, ProjectionState, RefillProgress};

use super::page::Page;

pub(super) fn render(numbers: &ProjectionNumbers) -> String {
    let mut page = Page::default();
    let name = "redrive_search_state";
    page.begin(name, "gauge", "1 for the state that the projection is in");
    for state in ProjectionState::ALL {
        page.value(name, &[("state", state.as_str())], u8::from(state == numbers.state));
    }
    let name = "redrive_search_outbox_depth";
    page.begin(name, "gauge", "Letters that wait to be written to the index");
    page.value(name, &[], numbers.outbox_depth);
    if let Some(RefillProgress { done, total }) = numbers.refill {
        let name = "redrive_search_refill_letters";
        page.begin(name, "gauge", "While the index is refilled: letters that were copied, and all of them");
        page.value(name, &[("of", "done")], done);
        page.value(name, &[("of", "total")], total);
    }
    let name = "redrive_search_lag_seconds";
    page.begin(name, "gauge", "How long the oldest of them waits");
    #[expect(clippy::cast_precision_loss, reason = "a metric is a float")]
    page.value(name, &[], numbers.lag.as_micros() as f64 / 1e6);
    let name = "redrive_search_documents_total";
    page.begin(name, "counter", "Documents, by what became of them");
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
    page.begin(name, "counter", "Times that nothing could be written, by why");
    for (reason, count) in &numbers.failed {
        page.value(name, &[("reason", reason)], count);
    }
    page.into_text()
}
