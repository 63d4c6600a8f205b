//! A queue as a line of JSON, as a row of a table, or as fields.

use redrive_client::proto::Timestamp;
use redrive_client::proto::querator::QueueInfo;
use serde::Serialize;

use super::paused::shown;
use crate::console::{Align, Fields, given, or_dash, shown_time};

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
pub(super) struct QueueLine<'q> {
    queue_name: &'q str,
    namespace: &'q str,
    dead_queue: Option<&'q str>,
    reference: Option<&'q str>,
    lease_timeout: &'q str,
    expire_timeout: &'q str,
    /// 0 is unlimited.
    max_attempts: i32,
    /// 0 is unlimited.
    max_items: i64,
    partitions: i32,
    /// `null` if the server does not tell.
    paused: Option<bool>,
    created_at: Option<Timestamp>,
    updated_at: Option<Timestamp>,
}

impl<'q> QueueLine<'q> {
    pub(super) fn new(queue: &'q QueueInfo, paused: Option<bool>) -> Self {
        Self {
            queue_name: &queue.queue_name,
            namespace: namespace(queue),
            dead_queue: given(&queue.dead_queue),
            reference: given(&queue.reference),
            lease_timeout: &queue.lease_timeout,
            expire_timeout: &queue.expire_timeout,
            max_attempts: queue.max_attempts,
            max_items: queue.max_items.unwrap_or_default(),
            partitions: queue.requested_partitions,
            paused,
            created_at: queue.created_at,
            updated_at: queue.updated_at,
        }
    }
}

pub(super) const HEADER: &[(&str, Align)] = &[
    ("NAMESPACE", Align::Text),
    ("NAME", Align::Text),
    ("PARTITIONS", Align::Number),
    ("LEASE", Align::Number),
    ("EXPIRE", Align::Number),
    ("ATTEMPTS", Align::Number),
    ("PAUSED", Align::Text),
    ("DEAD QUEUE", Align::Text),
    ("REFERENCE", Align::Text),
];

pub(super) fn row(queue: &QueueInfo, paused: Option<bool>) -> Vec<String> {
    vec![
        namespace(queue).to_owned(),
        queue.queue_name.clone(),
        queue.requested_partitions.to_string(),
        queue.lease_timeout.clone(),
        queue.expire_timeout.clone(),
        attempts(queue),
        shown(paused).to_owned(),
        or_dash(&queue.dead_queue).to_owned(),
        or_dash(&queue.reference).to_owned(),
    ]
}

pub(super) fn fields(queue: &QueueInfo, paused: Option<bool>) -> Fields {
    let line = QueueLine::new(queue, paused);
    Fields::new()
        .with("name", line.queue_name)
        .with("namespace", line.namespace)
        .with("dead queue", or_dash(&queue.dead_queue))
        .with("lease timeout", line.lease_timeout)
        .with("expire timeout", line.expire_timeout)
        .with("attempts", &attempts(queue))
        .with("max items", &or_unlimited(line.max_items))
        .with("partitions", &line.partitions.to_string())
        .with("paused", shown(paused))
        .with("reference", or_dash(&queue.reference))
        .with("created at", &shown_time(line.created_at))
        .with("updated at", &shown_time(line.updated_at))
}

fn namespace(queue: &QueueInfo) -> &str {
    given(&queue.namespace).unwrap_or("_system")
}

fn attempts(queue: &QueueInfo) -> String {
    or_unlimited(queue.max_attempts.into())
}

fn or_unlimited(count: i64) -> String {
    if count == 0 { "unlimited".to_owned() } else { count.to_string() }
}
