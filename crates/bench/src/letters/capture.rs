//! How fast failures become letters, one by one and many at a time.

use anyhow::Result;
use redrive_embedded::EmbeddedOptions;

use super::caller::Caller;
use crate::figure::{Figure, Reference, Target, progress};
use crate::folder::Folder;
use crate::measure::{Rates, note, side_by_side};
use crate::plain::Plain;

pub(super) fn figures() -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, batch, target) in [("capture/1", 1, 0.6), ("capture/512", 512, 0.15)] {
        progress(name);
        let rates = beside_plain(batch)?;
        figures.push(Figure {
            name,
            value: rates.work,
            unit: "letters/s of 1 KiB, durable",
            reference: Reference { name: "plain append+fdatasync", value: rates.reference },
            target: Target::RatioAtLeast(target),
        });
    }
    Ok(figures)
}

fn beside_plain(batch: u32) -> Result<Rates> {
    let folder = Folder::new("letters")?;
    let caller = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    let mut plain = Plain::open(folder.path(), batch)?;
    let mut failed = Ok(());
    let mut failed_plain = Ok(());
    let rates = side_by_side(
        || note(&mut failed, caller.capture(u64::from(batch))),
        || note(&mut failed_plain, plain.append()),
        batch,
    );
    failed.and(failed_plain)?;
    caller.close()?;
    Ok(rates)
}
