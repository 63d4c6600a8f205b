//! The throughput of captures, one letter and 512 letters per request.

use anyhow::Result;
use redrive_embedded::EmbeddedOptions;

use super::caller::Caller;
use crate::figure::{Figure, Target, progress};
use crate::folder::Folder;
use crate::measure::try_side_by_side;
use crate::plain::Plain;

pub(super) fn figures() -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, batch, target) in [("capture/1", 1, 0.6), ("capture/512", 512, 0.15)] {
        progress(name);
        let rates = compared_with_plain(batch)?;
        let target = Target::RatioAtLeast(target);
        figures.push(Figure::of(name, "letters/s of 1 KiB, durable", rates).beside("plain append+fdatasync", target));
    }
    Ok(figures)
}

fn compared_with_plain(batch: u32) -> Result<(f64, f64)> {
    let folder = Folder::new("letters")?;
    let caller = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    let mut plain = Plain::open(folder.path(), batch)?;
    let rates = try_side_by_side(|| caller.capture(u64::from(batch)), || plain.append(), batch)?;
    caller.close()?;
    Ok(rates)
}
