//! The embedded store on the real disk: durable 1 KiB items, compared with plain appends of the same bytes.

mod backlog;
mod caller;
mod disk_use;
mod speed;
mod stalls;

use crate::part::{Measure, Part};

/// Memory is measured first: later the items would reuse memory that other parts have left allocated.
pub(crate) const PARTS: &[(Part, Measure)] =
    &[(Part::Backlog, backlog::figures), (Part::Speed, speed::figures), (Part::Disk, disk_use::figures)];
