//! The object of `--output json`. It always has every field.

use redrive_client::proto::redrive::v1::{Attention, QueueStatus, RetriesStatus, RouteStatusEntry, StatusGetResponse};
use serde_json::{Value, json};

use super::next_step::next_step;
use crate::commands::destination_line::destination;
use crate::console::given;

pub(super) fn status_line(status: &StatusGetResponse) -> Value {
    let totals = status.totals.unwrap_or_default();
    let server = status.server.clone().unwrap_or_default();
    json!({
        "now": status.now,
        "attention": status.attention.iter().map(attention).collect::<Vec<_>>(),
        "attention_total": status.attention_total,
        "totals": {
            "queues": totals.queues,
            "paused": totals.paused,
            "ready": totals.ready,
            "leased": totals.leased,
            "scheduled": totals.scheduled,
            "stranded": totals.stranded,
            "damaged": totals.damaged,
            "dead": totals.dead,
            "exhausted": totals.exhausted,
            "overdue": totals.overdue,
        },
        "queues": status.queues.iter().map(queue).collect::<Vec<_>>(),
        "next": given(&status.next),
        "retries": status.retries.iter().map(retries).collect::<Vec<_>>(),
        "routes": status.routes.iter().map(route).collect::<Vec<_>>(),
        "routes_total": status.routes_total,
        "server": {
            "version": server.version,
            "store": server.store,
            "live_bytes": server.live_bytes,
            "log_bytes": server.log_bytes,
            "disk_free_bytes": server.disk_free_bytes,
            "disk_total_bytes": server.disk_total_bytes,
            "disk_low_bytes": server.disk_low_bytes,
            "reserve_bytes": server.reserve_bytes,
            "damaged": server.damaged,
            "index": server.index,
            "index_outbox_depth": server.index_outbox_depth,
            "index_lag_ms": server.index_lag_ms,
        },
    })
}

fn attention(entry: &Attention) -> Value {
    json!({
        "severity": entry.severity,
        "kind": entry.kind,
        "queue_name": given(&entry.queue_name),
        "route_name": given(&entry.route_name),
        "namespace": given(&entry.namespace),
        "run": given(&entry.run),
        "count": entry.count,
        "message": entry.message,
        "missing_permission": given(&entry.missing_permission),
        "next": given(&next_step(entry)),
    })
}

fn queue(queue: &QueueStatus) -> Value {
    json!({
        "queue_name": queue.queue_name,
        "namespace": queue.namespace,
        "paused": queue.is_paused,
        "ready": queue.ready,
        "leased": queue.leased,
        "scheduled": queue.scheduled,
        "stranded": queue.stranded,
        "damaged": queue.damaged,
        "dead": queue.dead,
        "exhausted": queue.exhausted,
        "overdue": queue.overdue,
        "limit": queue.limit,
        "oldest_at": queue.oldest_at,
        "average_age_ms": queue.average_age_ms,
        "in_total": queue.in_total,
        "out_total": queue.out_total,
        "in_per_minute": queue.in_per_minute,
        "out_per_minute": queue.out_per_minute,
        "waiting": queue.waiting,
        "dead_queue": given(&queue.dead_queue),
        "target": given(&queue.target),
    })
}

fn retries(retries: &RetriesStatus) -> Value {
    json!({
        "queue_name": retries.queue_name,
        "state": retries.state,
        "running": retries.running,
        "destinations": retries.destinations.iter().map(destination).collect::<Vec<_>>(),
        "open_breakers": retries.open_breakers,
        "error": given(&retries.error),
    })
}

fn route(route: &RouteStatusEntry) -> Value {
    json!({
        "namespace": given(&route.namespace),
        "name": route.name,
        "state": route.state,
        "is_healthy": route.is_healthy,
        "running": route.running,
        "lag": route.lag,
        "done_per_minute": route.done_per_minute,
        "letters_per_minute": route.letters_per_minute,
        "error": given(&route.error),
    })
}
