//! Options for the settings of a queue.

use redrive_client::Span;
use redrive_client::proto::querator::QueueInfo;

use crate::console::say;
use crate::values::{parse_duration, within};

#[derive(Debug, clap::Args)]
pub(super) struct Settings {
    /// Queue for items that reach --max-attempts or expire [default of a new queue: none; such items are deleted].
    #[arg(long, value_name = "QUEUE")]
    dead_queue: Option<String>,
    /// Duration of a lease, as in 30s or 5m [default of a new queue: 1m].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    lease_timeout: Option<String>,
    /// Lifetime of an item, as in 90m or 24h [default of a new queue: 24h].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    expire_timeout: Option<String>,
    /// Maximum attempts per item; 0 is unlimited [default of a new queue: 0].
    #[arg(long, value_name = "COUNT", value_parser = within(0..=65_536))]
    max_attempts: Option<i32>,
    /// Maximum number of items in any state; more are rejected. 0 is unlimited [default of a new queue: 0].
    #[arg(long, value_name = "COUNT", value_parser = within(0..=i64::MAX))]
    max_items: Option<i64>,
    /// Number of partitions. It cannot be changed later [default of a new queue: 1].
    #[arg(long, value_name = "COUNT", value_parser = within(1..=1_024))]
    partitions: Option<i32>,
    /// Free-form reference.
    #[arg(long, value_name = "TEXT")]
    reference: Option<String>,
    /// Namespace of the queue. It cannot be changed later [default of a new queue: that of the context, else _system].
    #[arg(long, value_name = "NAME")]
    pub(super) namespace: Option<String>,
}

/// Checks the duration and keeps its spelling if the server knows its units: the server accepts 15 characters, and a
/// normalized spelling may be longer.
fn parse_time(text: &str) -> Result<String, &'static str> {
    let span = parse_duration(text)?;
    Ok(text.parse::<Span>().map_or_else(|_| span.to_string(), |_| text.to_owned()))
}

impl Settings {
    /// The settings of `before`, replaced by the given options.
    pub(super) fn over(&self, before: QueueInfo) -> QueueInfo {
        QueueInfo {
            dead_queue: self.dead_queue.clone().unwrap_or(before.dead_queue),
            lease_timeout: self.lease_timeout.clone().unwrap_or(before.lease_timeout),
            expire_timeout: self.expire_timeout.clone().unwrap_or(before.expire_timeout),
            max_attempts: self.max_attempts.unwrap_or(before.max_attempts),
            // An update without it keeps the limit of the queue.
            max_items: self.max_items,
            requested_partitions: self.partitions.unwrap_or(before.requested_partitions),
            reference: self.reference.clone().unwrap_or(before.reference),
            ..before
        }
    }
}

/// Warns if the queue deletes the items that reach the maximum of attempts.
pub(super) fn warn_of_drops(queue: &QueueInfo) {
    if queue.max_attempts > 0 && queue.dead_queue.is_empty() {
        let name = &queue.queue_name;
        say(format_args!(
            "warning: queue '{name}' has no dead queue: an item that fails {} times is deleted\n  keep such items \
             with: redrive queue update {name} --dead-queue QUEUE",
            queue.max_attempts
        ));
    }
}
