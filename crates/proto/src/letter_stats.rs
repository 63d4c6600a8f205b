//! Letter statistics as JSON. protobuf's JSON form omits zeros and writes 64-bit numbers as strings; this form contains
//! every field, and every number is a JSON number.

use serde_json::{Value, json};

use crate::redrive::v1::{LettersStatsResponse, LifetimeStats, TriggeredRetries};

/// Converts the response of `letters.stats` into JSON with all fields and plain numbers.
pub fn letter_stats(stats: &LettersStatsResponse) -> Value {
    let LettersStatsResponse { status_breakdown, error_categories, retry_policies, projection, .. } = stats;
    let statuses = status_breakdown.unwrap_or_default();
    let categories = error_categories.unwrap_or_default();
    let policies = retry_policies.unwrap_or_default();
    let projection = projection.clone().unwrap_or_default();
    let triggers = stats.by_trigger.unwrap_or_default();
    let rates = stats.rates.unwrap_or_default();
    json!({
        "queue_size": stats.queue_size,
        "max_size": stats.max_size,
        "utilization_percent": stats.utilization_percent,
        "status_breakdown": {
            "pending": statuses.pending,
            "retrying": statuses.retrying,
            "exhausted": statuses.exhausted,
            "completed": statuses.completed,
            "archived": statuses.archived,
        },
        "error_categories": {
            "transient": categories.transient,
            "network": categories.network,
            "resource": categories.resource,
            "permission": categories.permission,
            "validation": categories.validation,
            "permanent": categories.permanent,
        },
        "retry_policies": {
            "never": policies.never,
            "linear": policies.linear,
            "exponential": policies.exponential,
            "immediate": policies.immediate,
            "custom": policies.custom,
        },
        "lifetime_stats": lifetime(&stats.lifetime_stats.unwrap_or_default()),
        "since_start": lifetime(&stats.since_start.unwrap_or_default()),
        "by_trigger": {
            "automatic": retries(triggers.automatic.unwrap_or_default()),
            "manual": retries(triggers.manual.unwrap_or_default()),
        },
        "is_processor_running": stats.is_processor_running,
        "processor_state": stats.processor_state,
        "retry_interval_seconds": stats.retry_interval_seconds,
        "oldest_pending_seconds": stats.oldest_pending_seconds,
        "next_due_at": stats.next_due_at,
        "overdue": stats.overdue,
        "blocked": stats.blocked,
        "degraded": stats.degraded,
        "projection": {
            "state": projection.state,
            "outbox_depth": projection.outbox_depth,
            "lag_seconds": projection.lag_seconds,
        },
        "unaccounted": stats.unaccounted,
        "retry_success_percent": stats.retry_success_percent,
        "rates": {
            "enqueued_per_minute": rates.enqueued_per_minute,
            "retry_success_per_minute": rates.retry_success_per_minute,
            "retry_failed_per_minute": rates.retry_failed_per_minute,
        },
    })
}

fn lifetime(stats: &LifetimeStats) -> Value {
    let rejected = stats.rejected.unwrap_or_default();
    json!({
        "enqueued_total": stats.enqueued_total,
        "retry_success": stats.retry_success,
        "retry_failed": stats.retry_failed,
        "exhausted": stats.exhausted,
        "manually_retried": stats.manually_retried,
        "archived": stats.archived,
        "merged": stats.merged,
        "deferred": stats.deferred,
        "lost_attempts": stats.lost_attempts,
        "unarchived": stats.unarchived,
        "cleared": stats.cleared,
        "purged": stats.purged,
        "rejected": {
            "queue_full": rejected.queue_full,
            "persist_failed": rejected.persist_failed,
            "other": rejected.other,
        },
    })
}

fn retries(retries: TriggeredRetries) -> Value {
    json!({ "success": retries.success, "failed": retries.failed })
}
