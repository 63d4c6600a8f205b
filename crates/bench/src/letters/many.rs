//! Two million letters: memory, lists and statistics.

use std::sync::Arc;

use anyhow::Result;
use redrive_core::Category;
use redrive_embedded::EmbeddedOptions;
use redrive_store::{Clock, ManualClock, SystemClock};

use super::caller::Caller;
use super::failures::FailureKind;
use super::{listing, statistics};
use crate::figure::{Figure, Target, progress};
use crate::folder::Folder;
use crate::process::resident_bytes;

const MANY: u64 = 2_000_000;
const FEW: u64 = 10_000;
/// The number of letters with the rare kind, evenly spread.
const RARE: u64 = 10;

pub(super) fn figures() -> Result<Vec<Figure>> {
    let folder = Folder::new("letters-many")?;
    let small = Folder::new("letters-few")?;
    let rare = FailureKind::new(Category::Permission, "archive", "access denied");
    let mut figures = Vec::new();

    progress("capturing 2 M letters");
    let clock = ManualClock::new(SystemClock.now());
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let before = resident_bytes()?;
    let many = Caller::open(folder.path(), &options)?;
    many.fill(MANY, &rare, MANY / RARE)?;
    let grown = resident_bytes()?.saturating_sub(before);
    figures.push(
        Figure::of("memory/2 M", "resident bytes a letter", (grown as f64 / MANY as f64, 1024.0))
            .beside("payload", Target::AtMost(450.0)),
    );

    let few = Caller::open(small.path(), &options)?;
    few.fill(FEW, &rare, FEW / RARE)?;
    for (caller, count) in [(&many, MANY), (&few, FEW)] {
        listing::prepare(caller, count / RARE / 2)?;
        caller.until_idle()?;
    }
    progress("first pages of 2 M letters");
    figures.push(listing::figure(&many, &few, &rare)?);
    progress("statistics of 2 M letters");
    figures.push(statistics::figure(&many, &few)?);
    figures.push(statistics::overdue(&many, &clock)?);
    few.close()?;
    many.close()?;
    Ok(figures)
}
