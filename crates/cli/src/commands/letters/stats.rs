//! `redrive letters stats`.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::letter_stats;
use redrive_client::proto::redrive::v1::{
    ErrorCategories, LetterRates, LettersStatsResponse, LifetimeStats, ProjectionStats, RejectedCaptures,
    RetriesByTrigger, RetryPolicies, StatusBreakdown, TriggeredRetries,
};
use redrive_core::Span;

use super::status_counts::status_counts;
use crate::console::{Column, Fields, FittedRows, non_zero, or_dash, output_width, rough, shown_time};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "JSON output has every counter under its name in the API; docs/letters.md describes them.

Examples:
  redrive letters stats orders-dead
  redrive letters stats orders-dead --output json")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let stats = session.call(session.client.letters(&arguments.queue).stats()).await?;
    session.print(&letter_stats(&stats), |out| print(&arguments.queue, &stats, out))
}

fn print(queue: &str, stats: &LettersStatsResponse, mut out: &mut impl Write) -> Result<()> {
    now_fields(queue, stats).print(&mut out)?;
    writeln!(out)?;
    retry_fields(stats).print(&mut out)?;
    writeln!(out)?;
    let total = stats.lifetime_stats.unwrap_or_default();
    let since_start = stats.since_start.unwrap_or_default();
    print_events(&total, &since_start, &mut out)
}

/// The counters since the queue was created, and since the server was started.
const EVENTS: &[Column] = &[Column::text("EVENT"), Column::number("TOTAL"), Column::number("SINCE START")];

/// What is there now.
fn now_fields(queue: &str, stats: &LettersStatsResponse) -> Fields {
    let StatusBreakdown { pending, retrying, exhausted, completed, archived } =
        stats.status_breakdown.unwrap_or_default();
    let live = status_counts(&StatusBreakdown { pending, retrying, exhausted, ..StatusBreakdown::default() });
    let live = if live.is_empty() { "0".to_owned() } else { format!("{}: {live}", stats.queue_size) };
    let size = match stats.max_size {
        Some(most) => format!("{} of {most} ({} %)", stats.queue_size, stats.utilization_percent),
        None => format!("{}, unlimited", stats.queue_size),
    };
    let fields = Fields::new()
        .with("queue", queue)
        .with("live", &live)
        .with("ended", &format!("{completed} completed, {archived} archived"))
        .with("size", &size)
        .with("categories", or_dash(&categories(stats.error_categories.unwrap_or_default())))
        .with("policies", or_dash(&policies(stats.retry_policies.unwrap_or_default())))
        .with_non_empty("degraded", &stats.degraded.join(", "));
    let ProjectionStats { state, outbox_depth, lag_seconds } = stats.projection.clone().unwrap_or_default();
    match state.as_str() {
        "" | "off" => fields,
        state => fields.with("index", &format!("{state}, {outbox_depth} changes behind, {lag_seconds} s")),
    }
}

/// Who retries the letters, and with what result.
fn retry_fields(stats: &LettersStatsResponse) -> Fields {
    let every = stats.retry_interval_seconds.map(|seconds| format!(", looks every {seconds} s")).unwrap_or_default();
    let oldest = Span::from_secs(stats.oldest_pending_seconds.unsigned_abs());
    let due = format!(
        "next {}, {} overdue, {} blocked, oldest pending {}",
        shown_time(stats.next_due_at),
        stats.overdue,
        stats.blocked,
        rough(oldest)
    );
    let RetriesByTrigger { automatic, manual } = stats.by_trigger.unwrap_or_default();
    let finished = |retries: Option<TriggeredRetries>| {
        let TriggeredRetries { success, failed } = retries.unwrap_or_default();
        format!("{success} succeeded, {failed} failed")
    };
    let percent = stats.retry_success_percent.map(|percent| format!(" ({percent} % of all)")).unwrap_or_default();
    let LetterRates { enqueued_per_minute, retry_success_per_minute, retry_failed_per_minute } =
        stats.rates.unwrap_or_default();
    Fields::new()
        .with("processor", &format!("{}{every}", stats.processor_state))
        .with("due", &due)
        .with("automatic", &format!("{}{percent}", finished(automatic)))
        .with("manual", &finished(manual))
        .with(
            "per minute",
            &format!(
                "{enqueued_per_minute} captured, {retry_success_per_minute} succeeded, {retry_failed_per_minute} failed"
            ),
        )
}

/// Reads one counter.
type Counter = fn(&LifetimeStats) -> i64;

fn print_events(total: &LifetimeStats, since_start: &LifetimeStats, out: &mut impl Write) -> Result<()> {
    let counters: [(&str, Counter); 10] = [
        ("captured", |stats| stats.enqueued_total),
        ("merged", |stats| stats.merged),
        ("exhausted", |stats| stats.exhausted),
        ("archived", |stats| stats.archived),
        ("restored", |stats| stats.unarchived),
        ("deferred", |stats| stats.deferred),
        ("lost attempts", |stats| stats.lost_attempts),
        ("removed by an operator", |stats| stats.cleared),
        ("removed by retention", |stats| stats.purged),
        ("rejected captures", |stats| {
            let RejectedCaptures { queue_full, persist_failed, other } = stats.rejected.unwrap_or_default();
            queue_full + persist_failed + other
        }),
    ];
    let mut rows = FittedRows::new(out, EVENTS, output_width());
    for (name, count) in counters {
        rows.push(vec![name.to_owned(), count(total).to_string(), count(since_start).to_string()])?;
    }
    rows.finish()
}

fn categories(counts: ErrorCategories) -> String {
    let ErrorCategories { transient, network, resource, permission, validation, permanent } = counts;
    non_zero(&[
        (transient, "transient"),
        (network, "network"),
        (resource, "resource"),
        (permission, "permission"),
        (validation, "validation"),
        (permanent, "permanent"),
    ])
}

fn policies(counts: RetryPolicies) -> String {
    let RetryPolicies { never, linear, exponential, immediate, custom } = counts;
    non_zero(&[
        (never, "never"),
        (linear, "linear"),
        (exponential, "exponential"),
        (immediate, "immediate"),
        (custom, "custom"),
    ])
}
