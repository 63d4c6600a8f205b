//! `redrive search status`.

use std::io::Write;

use anyhow::Result;
use redrive_core::Span;
use serde_json::json;

use crate::console::{Format, printable};
use crate::session::Session;

pub(super) async fn run(session: &Session) -> Result<()> {
    let status = session.call(session.client.search_status()).await?;
    let mut out = session.out();
    match session.format {
        Format::Json => {
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
            writeln!(out, "{object}")?;
        }
        Format::Table => {
            let lag = Span::from_millis(u64::try_from(status.lag_ms).unwrap_or_default());
            let captures = if status.strict { "wait for the index" } else { "do not wait for the index" };
            let refill = status.refilled.zip(status.refill_total);
            let refill = refill.map(|(done, total)| format!("{done} of {total} letters")).unwrap_or_default();
            for (name, value) in [
                ("index", status.index),
                ("state", status.state),
                ("refilled", refill),
                ("error", status.trouble),
                ("pending", status.outbox_depth.to_string()),
                ("lag", lag.to_string()),
                ("indexed", status.indexed.to_string()),
                ("deleted", status.deleted.to_string()),
                ("conflicts", status.conflicts.to_string()),
                ("quarantined", status.quarantined.to_string()),
                ("failures", status.failures.to_string()),
                ("captures", captures.to_owned()),
            ] {
                if !value.is_empty() {
                    writeln!(out, "{name:<13}{}", printable(&value))?;
                }
            }
        }
    }
    Ok(out.flush()?)
}
