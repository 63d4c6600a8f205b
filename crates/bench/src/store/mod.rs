//! The embedded store on the real disk: durable, 1 KiB items, beside plain appends of the same bytes.

mod backlog;
mod caller;
mod disk_use;
mod speed;
mod stalls;

use anyhow::Result;

use crate::figure::Figure;
use crate::part::{Part, is_wanted};

pub(crate) fn figures(part: Option<Part>) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, measure) in PARTS {
        if is_wanted(part, *name) {
            figures.extend(measure()?);
        }
    }
    Ok(figures)
}

type Measure = fn() -> Result<Vec<Figure>>;

// What items take is measured first: later it would grow into what others have left behind.
const PARTS: &[(Part, Measure)] =
    &[(Part::Backlog, backlog::figures), (Part::Speed, speed::figures), (Part::Disk, disk_use::figures)];
