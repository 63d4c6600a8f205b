//! The latency of requests while the store writes checkpoints and compacts segments.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use redrive_embedded::EmbeddedOptions;
use redrive_model::DeleteItems;
use redrive_store::{Store, StoreStatus};

use super::caller::Caller;
use crate::figure::{Figure, Target, progress};

const LATENCIES: usize = 80_000;
/// The number of items of which every second is deleted, so that their segments are worth compacting.
const SPARSE: u32 = 400_000;

pub(super) fn figures(folder: &Path) -> Result<Vec<Figure>> {
    progress("produce/1 without upkeep");
    let no_upkeep =
        EmbeddedOptions { recovery_bytes: Some(u64::MAX), garbage_percent: 10_000, ..EmbeddedOptions::default() };
    let caller = Caller::open(folder, &no_upkeep)?;
    make_sparse(&caller)?;
    let (reference, status) = latency(&caller)?;
    ensure!(status.checkpoints == 0 && status.relocated == 0, "the store did upkeep: {status:?}");
    caller.close()?;

    progress("produce/1 during upkeep");
    // Continuous checkpoints, and compaction even with little garbage.
    let options = EmbeddedOptions { recovery_bytes: Some(1 << 20), garbage_percent: 10, ..EmbeddedOptions::default() };
    let caller = Caller::open(folder, &options)?;
    let (value, status) = latency(&caller)?;
    ensure!(
        (status.is_checkpointing || status.checkpoints > 0) && status.relocated > 0,
        "checkpoint or compaction did not happen: {status:?}"
    );
    caller.close()?;
    Ok(vec![
        Figure::of("p99.9 during upkeep", "µs a produce, 5 M items", (value, reference))
            .beside("in peace", Target::RatioAtMost(5.0)),
    ])
}

fn make_sparse(caller: &Caller) -> Result<()> {
    for _ in 0..SPARSE / 1000 {
        let ids = caller.produce(1000)?.into_iter().step_by(2).collect();
        let delete = DeleteItems { queue: caller.queue.clone(), partition: 0, ids };
        caller.runtime.block_on(caller.store.delete_items(delete))?;
    }
    Ok(())
}

/// The 99.9th percentile of the latency, in microseconds.
fn latency(caller: &Caller) -> Result<(f64, StoreStatus)> {
    let mut times: Vec<Duration> = Vec::with_capacity(LATENCIES);
    for _ in 0..LATENCIES {
        let begin = Instant::now();
        caller.produce(1)?;
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    let status = caller.store.status();
    eprintln!(
        "  p50 {:?}  p99 {:?}  max {:?}  {status:?}",
        times[LATENCIES / 2],
        times[LATENCIES / 100 * 99],
        times[LATENCIES - 1]
    );
    Ok((times[LATENCIES / 1000 * 999].as_secs_f64() * 1e6, status))
}
