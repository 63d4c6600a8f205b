//! The throughput of produce requests and of cycles, with one caller and with many.

use anyhow::Result;
use redrive_embedded::EmbeddedOptions;
use redrive_store::Store;

use super::caller::Caller;
use crate::figure::{Figure, Target, progress};
use crate::folder::Folder;
use crate::measure::try_side_by_side;
use crate::plain::Plain;

const UNIT: &str = "items/s of 1 KiB, durable";
const CALLERS: u32 = 64;
const CALLS: u32 = 8;

pub(super) fn figures() -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, batch, target) in [("produce/1", 1, 0.8), ("produce/512", 512, 0.5)] {
        progress(name);
        let rates = compared_with_plain(batch, |caller| caller.produce(batch))?;
        figures.push(figure(name, rates, target));
    }
    progress("cycle/512");
    figures.push(figure("cycle/512", compared_with_plain(512, |caller| caller.cycle(512))?, 0.25));
    progress("produce/1 by 64 callers");
    figures.push(callers()?);
    Ok(figures)
}

fn figure(name: &'static str, rates: (f64, f64), least: f64) -> Figure {
    Figure::of(name, UNIT, rates).beside("plain append+fdatasync", Target::RatioAtLeast(least))
}

fn compared_with_plain<T>(batch: u32, mut work: impl FnMut(&Caller) -> Result<T>) -> Result<(f64, f64)> {
    let folder = Folder::new("store")?;
    let caller = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    let mut plain = Plain::open(folder.path(), batch)?;
    let rates = try_side_by_side(|| work(&caller), || plain.append(), batch)?;
    caller.close()?;
    Ok(rates)
}

/// Many concurrent callers with one item per request, compared with one caller.
fn callers() -> Result<Figure> {
    let folder = Folder::new("store-callers")?;
    let caller = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    let alone = || (0..CALLERS * CALLS).try_for_each(|_| caller.produce(1).map(drop));
    let rates = try_side_by_side(|| produce_concurrently(&caller), alone, CALLERS * CALLS)?;
    caller.close()?;
    Ok(Figure::of("produce/1 by 64 callers", UNIT, rates).beside("one caller", Target::RatioAtLeast(5.0)))
}

fn produce_concurrently(caller: &Caller) -> Result<()> {
    let tasks: Vec<_> = (0..CALLERS)
        .map(|_| {
            let store = caller.store.clone();
            let requests: Vec<_> = (0..CALLS).map(|_| caller.items(1, None)).collect();
            caller.runtime.spawn(async move {
                for request in requests {
                    store.produce(request).await?;
                }
                Ok::<_, redrive_store::StoreError>(())
            })
        })
        .collect();
    caller.runtime.block_on(async {
        for task in tasks {
            task.await??;
        }
        Ok(())
    })
}
