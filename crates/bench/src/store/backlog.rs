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
use crate::figure::{Figure, Target, progress};
use crate::folder::Folder;
use crate::measure::{micros_each, try_side_by_side};
use crate::process::resident_bytes;

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
    figures.push(
        Figure::of("memory/5 M", "resident bytes an item", (grown as f64 / f64::from(MANY), 1024.0))
            .beside("payload", Target::AtMost(200.0)),
    );

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
    let rates = try_side_by_side(|| many.cycle(batch), || few.cycle(batch), 1)?;
    Ok(Figure::of(name, "µs a cycle", micros_each(rates)).beside("at 10 k", Target::RatioAtMost(target)))
}

/// A cycle on the backlog, whose payloads are read from disk, compared with one whose payloads are cached.
fn uncached(many: &Caller) -> Result<Figure> {
    let folder = Folder::new("store-cached")?;
    let cached = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    let rates = try_side_by_side(|| many.cycle(512), || cached.cycle(512), 512)?;
    cached.close()?;
    Ok(Figure::of("cycle/512 from disk", "items/s of 1 KiB, durable", rates)
        .beside("payloads at hand", Target::RatioAtLeast(0.5)))
}

/// The time until all due items among five million can be leased.
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
    Ok(Figure::of("1 000 due among 5 M", "ms until all can be leased", (times[times.len() / 2], f64::from(DUE)))
        .beside("due items", Target::AtMost(5.0)))
}

/// The time to open a store with five million items, compared with a tenth of them.
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
    Ok(vec![
        Figure::of("reopen/5 M", "s", (seconds[1], seconds[0])).beside("0.5 M", Target::AtMost(10.0)).for_orientation(),
    ])
}
