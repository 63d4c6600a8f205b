//! Five million waiting items: memory, time of operations, and recovery.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use redrive_core::Span;
use redrive_embedded::EmbeddedOptions;
use redrive_model::GetStats;
use redrive_store::{Clock, ManualClock, Store, SystemClock};

use super::caller::Caller;
use super::stalls;
use crate::figure::{Figure, Reference, Target, progress};
use crate::folder::Folder;
use crate::measure::{keep_first_error, side_by_side};
use crate::resident::resident_bytes;

const MANY: u32 = 5_000_000;
const FEW: u32 = 10_000;
const DUE: u32 = 1_000;
/// A median of fewer varies by a quarter from run to run.
const DUE_ROUNDS: usize = 51;

pub(super) fn figures() -> Result<Vec<Figure>> {
    let folder = Folder::new("store-backlog")?;
    let small = Folder::new("store-small")?;
    let mut figures = Vec::new();

    progress("filling a queue with 5 M items");
    let clock = ManualClock::new(SystemClock.now());
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let before = resident_bytes()?;
    let many = Caller::open(folder.path(), &options)?;
    many.fill(MANY)?;
    let grown = resident_bytes()?.saturating_sub(before);
    figures.push(Figure {
        name: "memory/5 M",
        value: to_f64(grown) / f64::from(MANY),
        unit: "resident bytes an item",
        reference: Reference { name: "payload", value: 1024.0 },
        target: Target::AtMost(200.0),
    });

    // A small cache, so that both sides read payloads from disk; the cost of reading is a separate figure.
    many.close()?;
    let options = EmbeddedOptions { cache_bytes: 1 << 20, ..options };
    let many = Caller::open(folder.path(), &options)?;
    let few = Caller::open(small.path(), &EmbeddedOptions { cache_bytes: 1 << 20, ..EmbeddedOptions::default() })?;
    few.fill(FEW)?;
    many.until_idle()?;
    for (name, batch, target) in [("cycle/1 at 5 M", 1, 1.2), ("cycle/512 at 5 M", 512, 1.5)] {
        progress(name);
        figures.push(cost(name, batch, target, &many, &few)?);
    }
    progress("cycle/512 from disk");
    figures.push(uncached(&many)?);
    progress("1 000 due among 5 M");
    figures.push(due(&many, &clock)?);
    few.close()?;

    progress("reopening with 5 M items");
    figures.extend(reopen(many, folder.path(), &options)?);
    drop(small);

    progress("stalls with 5 M items");
    figures.extend(stalls::figures(folder.path())?);
    Ok(figures)
}

/// The time of a cycle while many items wait, compared with few.
fn cost(name: &'static str, batch: u32, target: f64, many: &Caller, few: &Caller) -> Result<Figure> {
    let mut failed = Ok(());
    let mut failed_few = Ok(());
    let rates = side_by_side(
        || keep_first_error(&mut failed, many.cycle(batch)),
        || keep_first_error(&mut failed_few, few.cycle(batch)),
        1,
    );
    failed.and(failed_few)?;
    Ok(Figure {
        name,
        value: 1e6 / rates.work,
        unit: "µs a cycle",
        reference: Reference { name: "at 10 k", value: 1e6 / rates.reference },
        target: Target::RatioAtMost(target),
    })
}

/// A cycle on the backlog, whose payloads are read from disk, compared with one whose payloads are cached.
fn uncached(many: &Caller) -> Result<Figure> {
    let folder = Folder::new("store-cached")?;
    let cached = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    let mut failed = Ok(());
    let mut failed_cached = Ok(());
    let rates = side_by_side(
        || keep_first_error(&mut failed, many.cycle(512)),
        || keep_first_error(&mut failed_cached, cached.cycle(512)),
        512,
    );
    failed.and(failed_cached)?;
    cached.close()?;
    Ok(Figure {
        name: "cycle/512 from disk",
        value: rates.work,
        unit: "items/s of 1 KiB, durable",
        reference: Reference { name: "payloads at hand", value: rates.reference },
        target: Target::RatioAtLeast(0.5),
    })
}

/// The time until all due items among five million can be leased.
#[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
fn due(many: &Caller, clock: &ManualClock) -> Result<Figure> {
    let mut times = Vec::new();
    for _ in 0..DUE_ROUNDS {
        let at = clock.now().saturating_add(Span::from_secs(1));
        many.runtime.block_on(many.store.produce(many.items(DUE, Some(at))))?;
        let begin = Instant::now();
        clock.set(at);
        loop {
            let stats = many.runtime.block_on(many.store.stats(GetStats { queue: many.queue.clone() }))?;
            if stats.partitions[0].scheduled == 0 {
                break;
            }
        }
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(Figure {
        name: "1 000 due among 5 M",
        value: times[times.len() / 2],
        unit: "ms until all can be leased",
        reference: Reference { name: "due items", value: f64::from(DUE) },
        target: Target::AtMost(5.0),
    })
}

/// The time to open a store with five million items, compared with a tenth of them.
#[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
fn reopen(many: Caller, folder: &std::path::Path, options: &EmbeddedOptions) -> Result<Vec<Figure>> {
    let tenth = Folder::new("store-tenth")?;
    let caller = Caller::open(tenth.path(), options)?;
    caller.fill(MANY / 10)?;
    let mut seconds = Vec::new();
    for (caller, folder) in [(caller, tenth.path()), (many, folder)] {
        caller.close()?;
        let begin = Instant::now();
        let again = Caller::open(folder, options)?;
        seconds.push(begin.elapsed().as_secs_f64());
        again.close()?;
    }
    Ok(vec![Figure {
        name: "reopen/5 M",
        value: seconds[1],
        unit: "s",
        reference: Reference { name: "0.5 M", value: seconds[0] },
        target: Target::OrientationAtMost(10.0),
    }])
}

#[expect(clippy::cast_precision_loss, reason = "a figure needs three digits")]
pub(super) fn to_f64(value: u64) -> f64 {
    value as f64
}
