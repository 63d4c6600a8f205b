//! Parts of benchmarks that can be run separately, since a whole benchmark takes minutes.

use anyhow::Result;
use clap::ValueEnum;

use crate::figure::Figure;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Store and letters: throughput of produce and capture. Kafka: handlers that do nothing. Mailbox: throughput. Routes: ingest.
    Speed,
    /// Store: disk use.
    Disk,
    /// Store and server: a long queue. On the server without the peers.
    Backlog,
    /// Letters: retries to an HTTP target.
    Drain,
    /// Letters: lists, statistics and memory of two million letters.
    Listing,
    /// Server: one item per request.
    Single,
    /// Server: batches of 100 and 1000 items.
    Batches,
    /// Server and Kafka: latency at a steady rate. Mailbox: wake-up of a waiting receive.
    Latency,
    /// Server: the overview of ten thousand queues and two million letters. Without the peers.
    Status,
    /// Server: a bulk retry of letters. Without the peers.
    Bulk,
    /// Kafka: handlers that wait, with and without failures. Routes: an HTTP target.
    Handlers,
    /// Kafka: keys of which some are frequent.
    Skew,
    /// Kafka: resident memory while handlers are blocked.
    Memory,
}

/// Whether to run a part: all of them without a selection.
pub(crate) fn is_selected(selected: Option<Part>, part: Part) -> bool {
    selected.is_none_or(|selected| selected == part)
}

pub(crate) type Measure = fn() -> Result<Vec<Figure>>;

/// The figures of the selected parts, measured in this order.
pub(crate) fn figures_of(parts: &[(Part, Measure)], selected: Option<Part>) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (_, measure) in parts.iter().filter(|(part, _)| is_selected(selected, *part)) {
        figures.extend(measure()?);
    }
    Ok(figures)
}
