//! The throughput of produce requests and of cycles, with one caller and with many.

use anyhow::Result;
use redrive_embedded::EmbeddedOptions;
use redrive_store::Store;

use super::caller::Caller;
use crate::figure::{Figure, Reference, Target, progress};
use crate::folder::Folder;
use crate::measure::{Rates, keep_first_error, side_by_side};
use crate::plain::Plain;

const UNIT: &str = "items/s of 1 KiB, durable";
const CALLERS: u32 = 64;
const CALLS: u32 = 8;

pub(super) fn figures() -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, batch, target) in [("produce/1", 1, 0.8), ("produce/512", 512, 0.5)] {
        progress(name);
        let rates = compared_with_plain(batch, |caller| caller.produce(batch).map(|_| ()))?;
        figures.push(figure(name, rates, target));
    }
    progress("cycle/512");
    figures.push(figure("cycle/512", compared_with_plain(512, |caller| caller.cycle(512))?, 0.25));
    progress("produce/1 by 64 callers");
    figures.push(callers()?);
    Ok(figures)
}

fn figure(name: &'static str, rates: Rates, target: f64) -> Figure {
    Figure {
        name,
        value: rates.work,
        unit: UNIT,
        reference: Reference { name: "plain append+fdatasync", value: rates.reference },
        target: Target::RatioAtLeast(target),
    }
}

fn compared_with_plain(batch: u32, mut work: impl FnMut(&Caller) -> Result<()>) -> Result<Rates> {
    let folder = Folder::new("store")?;
    let caller = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    let mut plain = Plain::open(folder.path(), batch)?;
    let mut failed = Ok(());
    let mut failed_plain = Ok(());
    let rates = side_by_side(
        || keep_first_error(&mut failed, work(&caller)),
        || keep_first_error(&mut failed_plain, plain.append()),
        batch,
    );
    failed.and(failed_plain)?;
    caller.close()?;
    Ok(rates)
}

/// Many concurrent callers with one item per request, compared with one caller.
fn callers() -> Result<Figure> {
    let folder = Folder::new("store-callers")?;
    let caller = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    let mut failed = Ok(());
    let mut failed_alone = Ok(());
    let rates = side_by_side(
        || keep_first_error(&mut failed, produce_concurrently(&caller)),
        || {
            let alone = (0..CALLERS * CALLS).try_for_each(|_| caller.produce(1).map(|_| ()));
            keep_first_error(&mut failed_alone, alone);
        },
        CALLERS * CALLS,
    );
    failed.and(failed_alone)?;
    caller.close()?;
    Ok(Figure {
        name: "produce/1 by 64 callers",
        value: rates.work,
        unit: UNIT,
        reference: Reference { name: "one caller", value: rates.reference },
        target: Target::RatioAtLeast(5.0),
    })
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
