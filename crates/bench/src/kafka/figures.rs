//! The figures of the Kafka benchmark, by parts.

use anyhow::Result;

use super::fixture::KafkaBench;
use super::{latency, memory, no_op, skew, waiting};
use crate::figure::Figure;
use crate::part::{Part, is_selected};

pub(crate) fn figures(part: Option<Part>) -> Result<Vec<Figure>> {
    KafkaBench::measure(|bench| of_parts(bench, part))
}

fn of_parts(bench: &KafkaBench, part: Option<Part>) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    if [Part::Speed, Part::Handlers, Part::Memory].iter().any(|one| is_selected(part, *one)) {
        let backlog = bench.backlog()?;
        if is_selected(part, Part::Speed) {
            figures.extend(no_op::figures(bench, &backlog)?);
        }
        if is_selected(part, Part::Handlers) {
            figures.extend(waiting::figures(bench, &backlog)?);
        }
        if is_selected(part, Part::Memory) {
            figures.extend(memory::figures(&backlog)?);
        }
    }
    if is_selected(part, Part::Skew) {
        figures.extend(skew::figures(bench)?);
    }
    if is_selected(part, Part::Latency) {
        figures.extend(latency::figures(bench)?);
    }
    Ok(figures)
}
