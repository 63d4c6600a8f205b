//! The state of the server itself: what `/health` and `/metrics` show without a key, in one message.

use redrive_proto::redrive::v1::ServerStatus;

use crate::app::App;
use crate::letter_index::LetterIndex;
use crate::wire::big_count;

pub(super) fn server_status(app: &App) -> ServerStatus {
    let status = app.store.status();
    let store = match &status {
        None => "unknown",
        Some(status) if status.is_poisoned => "failed",
        Some(status) if status.is_full => "full",
        Some(_) => "ok",
    };
    let status = status.unwrap_or_default();
    let space = app.disk_space();
    let index = app.index.get().map(LetterIndex::summary);
    ServerStatus {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        store: store.to_owned(),
        live_bytes: big_count(status.live_bytes),
        log_bytes: big_count(status.log_bytes),
        damaged: big_count(status.damaged),
        index: index.as_ref().map_or("off", |index| index.state).to_owned(),
        index_outbox_depth: index.as_ref().map_or(0, |index| big_count(index.outbox_depth)),
        disk_free_bytes: space.map(|space| big_count(space.free)),
        disk_total_bytes: space.map(|space| big_count(space.total)),
        disk_low_bytes: space.map(|space| big_count(space.low)),
        reserve_bytes: big_count(status.reserve_bytes),
        index_lag_ms: index.as_ref().map_or(0, |index| big_count(index.lag.as_micros() / 1_000)),
    }
}
