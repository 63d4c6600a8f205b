//! The embedded store on the real disk: durable, 1 KiB items, beside plain appends of the same bytes.

mod backlog;
mod caller;
mod disk_use;
mod plain;
mod speed;
mod stalls;

use anyhow::Result;

use crate::figure::Figure;

pub(crate) fn figures() -> Result<Vec<Figure>> {
    let mut figures = speed::figures()?;
    figures.extend(disk_use::figures()?);
    figures.extend(backlog::figures()?);
    Ok(figures)
}

/// Figures on the way: a benchmark that takes minutes says where it is.
fn progress(what: &str) {
    eprintln!("… {what}");
}
