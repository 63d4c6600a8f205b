//! Letters in the embedded store on the real disk: 1 KiB each, with a source id, an origin and the record of an attempt.

mod caller;
mod capture;
mod drain;
mod listing;
mod made;
mod many;
mod statistics;
mod target;

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

// What letters take is measured first: later it would grow into what others have left behind.
const PARTS: &[(Part, Measure)] =
    &[(Part::Listing, many::figures), (Part::Speed, capture::figures), (Part::Drain, drain::figures)];
