//! The throughput of captures, one letter and 512 letters per request.

use anyhow::Result;
use redrive_embedded::EmbeddedOptions;

use super::caller::Caller;
use crate::figure::{Figure, Reference, Target, progress};
use crate::folder::Folder;
use crate::measure::{Rates, keep_first_error, side_by_side};
use crate::plain::Plain;

pub(super) fn figures() -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, batch, target) in [("capture/1", 1, 0.6), ("capture/512", 512, 0.15)] {
        progress(name);
        let rates = compared_with_plain(batch)?;
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

fn compared_with_plain(batch: u32) -> Result<Rates> {
    let folder = Folder::new("letters")?;
    let caller = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    let mut plain = Plain::open(folder.path(), batch)?;
    let mut failed = Ok(());
    let mut failed_plain = Ok(());
    let rates = side_by_side(
        || keep_first_error(&mut failed, caller.capture(u64::from(batch))),
        || keep_first_error(&mut failed_plain, plain.append()),
        batch,
    );
    failed.and(failed_plain)?;
    caller.close()?;
    Ok(rates)
}
