//! Output: data on stdout, everything else on stderr.

mod confirm;
mod counts;
mod diff;
mod error;
mod fitted;
mod format;
mod lines;
mod printable;
mod progress;
mod relative;
mod report;
mod say;
mod table;
mod width;

pub(crate) use confirm::{confirm, is_interactive};
pub(crate) use counts::{counted, items, letters, non_zero};
pub(crate) use diff::diff;
pub(crate) use error::{print_error, print_usage_error};
pub(crate) use fitted::{Column, FittedRows};
pub(crate) use format::Format;
pub(crate) use lines::Lines;
pub(crate) use printable::{excerpt, given, or_dash, printable, shown_time};
pub(crate) use progress::Progress;
pub(crate) use relative::{relative, rough};
pub(crate) use report::{print, report};
pub(crate) use say::say;
pub(crate) use table::{Align, Fields, Rows};
pub(crate) use width::output_width;
