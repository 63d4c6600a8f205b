//! The settings of a queue as options.

use redrive_client::Span;
use redrive_client::proto::querator::QueueInfo;

use crate::console::say;

#[derive(Debug, clap::Args)]
pub(super) struct Settings {
    /// Where items go that failed for good; without one they are deleted.
    #[arg(long, value_name = "QUEUE")]
    dead_queue: Option<String>,
    /// How long a lease lasts, as in 30s, 5m [default of a new queue: 1m].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    lease_timeout: Option<String>,
    /// How long an item lives, as in 90m, 24h [default of a new queue: 24h].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    expire_timeout: Option<String>,
    /// How often an item is leased before it has failed for good; 0 for without end [default of a new queue: 0].
    #[arg(long, value_name = "COUNT")]
    max_attempts: Option<i32>,
    /// Into how many parts the queue is divided, for ever [default of a new queue: 1].
    #[arg(long, value_name = "COUNT")]
    partitions: Option<i32>,
    /// A note of your own.
    #[arg(long, value_name = "TEXT")]
    reference: Option<String>,
    /// Whose queue it is; _system, if nothing is said.
    #[arg(long, value_name = "NAME")]
    pub(super) namespace: Option<String>,
}

/// A time stays as it is written: a server takes fifteen characters, and another form of it may have more.
fn parse_time(text: &str) -> Result<String, <Span as std::str::FromStr>::Err> {
    text.parse::<Span>().map(|_| text.to_owned())
}

impl Settings {
    /// What is said takes the place of what was.
    pub(super) fn over(&self, before: QueueInfo) -> QueueInfo {
        QueueInfo {
            dead_queue: self.dead_queue.clone().unwrap_or(before.dead_queue),
            lease_timeout: self.lease_timeout.clone().unwrap_or(before.lease_timeout),
            expire_timeout: self.expire_timeout.clone().unwrap_or(before.expire_timeout),
            max_attempts: self.max_attempts.unwrap_or(before.max_attempts),
            requested_partitions: self.partitions.unwrap_or(before.requested_partitions),
            reference: self.reference.clone().unwrap_or(before.reference),
            ..before
        }
    }
}

/// Says it where a queue drops what has failed as often as it may.
pub(super) fn warn_of_drops(queue: &QueueInfo) {
    if queue.max_attempts > 0 && queue.dead_queue.is_empty() {
        let name = &queue.queue_name;
        say(format_args!(
            "warning: queue '{name}' has no dead queue: an item that fails {} times is deleted\n  keep them with: redrive \
             queue update {name} --dead-queue QUEUE",
            queue.max_attempts
        ));
    }
}
