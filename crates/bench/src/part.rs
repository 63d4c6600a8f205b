//! Parts of benchmarks that can be measured by themselves: all of them take some minutes.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Of the store, and of letters: how fast they come in.
    Speed,
    /// Of the store.
    Disk,
    /// Of the store, and of the server, where it needs no peers.
    Backlog,
    /// Of letters: retries to an HTTP target.
    Drain,
    /// Of letters: what two million of them cost.
    Listing,
    /// Of the server: one item at a time.
    Single,
    /// Of the server: a hundred and a thousand at a time.
    Batches,
    /// Of the server: at a steady rate.
    Latency,
}

/// Whether this part is wanted.
pub(crate) fn is_wanted(asked: Option<Part>, part: Part) -> bool {
    asked.is_none_or(|asked| asked == part)
}
