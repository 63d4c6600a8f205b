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

use crate::part::{Measure, Part};

/// Memory is measured first: later the letters would reuse memory that other parts have left allocated.
pub(crate) const PARTS: &[(Part, Measure)] =
    &[(Part::Listing, many::figures), (Part::Speed, capture::figures), (Part::Drain, drain::figures)];
