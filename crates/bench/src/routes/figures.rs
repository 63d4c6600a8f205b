//! The figures of the routes benchmark.

use anyhow::Result;

use super::{http, ingest};
use crate::figure::{Figure, progress};
use crate::kafka::{Backlog, KafkaBench};
use crate::part::{Part, is_selected};

/// Records of a run.
const RECORDS: usize = 200_000;

pub(crate) fn figures(part: Option<Part>) -> Result<Vec<Figure>> {
    KafkaBench::measure(|bench| of_parts(bench, part))
}

fn of_parts(bench: &KafkaBench, part: Option<Part>) -> Result<Vec<Figure>> {
    progress("producing 200 000 records of 1 KiB");
    let backlog: Backlog = bench.filled("routes", RECORDS)?;
    let mut figures = Vec::new();
    if is_selected(part, Part::Handlers) {
        figures.push(http::figure(bench, &backlog)?);
    }
    if is_selected(part, Part::Speed) {
        figures.push(ingest::figure(bench, &backlog)?);
    }
    Ok(figures)
}
