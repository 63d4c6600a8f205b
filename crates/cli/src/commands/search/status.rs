//! `redrive search status`.

use anyhow::Result;
use redrive_core::Span;
use serde_json::json;

use crate::console::Fields;
use crate::session::Session;

pub(super) async fn run(session: &Session) -> Result<()> {
    let status = session.call(session.client.search_status()).await?;
    let object = json!({
        "index": status.index,
        "state": status.state,
        "trouble": status.trouble,
        "outbox_depth": status.outbox_depth,
        "lag_ms": status.lag_ms,
        "indexed": status.indexed,
        "deleted": status.deleted,
        "conflicts": status.conflicts,
        "quarantined": status.quarantined,
        "failures": status.failures,
        "strict": status.strict,
        "refilled": status.refilled,
        "refill_total": status.refill_total,
    });
    let lag = Span::from_millis(u64::try_from(status.lag_ms).unwrap_or_default());
    let refill = status.refilled.zip(status.refill_total);
    let refill = refill.map(|(done, total)| format!("{done} of {total} letters")).unwrap_or_default();
    let fields = Fields::new()
        .with_non_empty("index", &status.index)
        .with_non_empty("state", &status.state)
        .with_non_empty("refilled", &refill)
        .with_non_empty("error", &status.trouble)
        .with("pending", &status.outbox_depth.to_string())
        .with("lag", &lag.to_string())
        .with("indexed", &status.indexed.to_string())
        .with("deleted", &status.deleted.to_string())
        .with("conflicts", &status.conflicts.to_string())
        .with("quarantined", &status.quarantined.to_string())
        .with("failures", &status.failures.to_string())
        .with("captures", if status.strict { "wait for the index" } else { "do not wait for the index" });
    session.show(fields, &object)
}
