//! Output: data on stdout, everything else on stderr.

mod confirm;
mod diff;
mod fitted;
mod format;
mod lines;
mod printable;
mod progress;
mod relative;
mod say;
mod table;
mod width;

pub(crate) use confirm::{confirm, is_interactive};
pub(crate) use diff::diff;
pub(crate) use fitted::{Column, FittedRows};
pub(crate) use format::Format;
pub(crate) use lines::Lines;
pub(crate) use printable::{excerpt, or_dash, printable, shown_time};
pub(crate) use progress::Progress;
pub(crate) use relative::{relative, rough};
pub(crate) use say::{items, letters, say};
pub(crate) use table::{Align, Fields, Rows};
pub(crate) use width::output_width;
