//! Letters in the embedded store on the real disk: 1 KiB each, with a source id, an origin and the record of an
//! attempt.

mod caller;
mod capture;
mod drain;
pub(crate) mod failures;
mod listing;
mod many;
mod statistics;
mod target;

pub(crate) use target::HttpServer;

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

// Memory is measured first: later the letters would reuse memory that other parts have left allocated.
const PARTS: &[(Part, Measure)] =
    &[(Part::Listing, many::figures), (Part::Speed, capture::figures), (Part::Drain, drain::figures)];
