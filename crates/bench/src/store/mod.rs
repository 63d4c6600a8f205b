//! The embedded store on the real disk: durable 1 KiB items, compared with plain appends of the same bytes.

mod backlog;
mod caller;
mod disk_use;
mod speed;
mod stalls;

use anyhow::Result;

use crate::figure::Figure;
use crate::part::{Part, is_selected};

pub(crate) fn figures(part: Option<Part>) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, measure) in PARTS {
        if is_selected(part, *name) {
            figures.extend(measure()?);
        }
    }
    Ok(figures)
}

type Measure = fn() -> Result<Vec<Figure>>;

// Memory is measured first: later the items would reuse memory that other parts have left allocated.
const PARTS: &[(Part, Measure)] =
    &[(Part::Backlog, backlog::figures), (Part::Speed, speed::figures), (Part::Disk, disk_use::figures)];
