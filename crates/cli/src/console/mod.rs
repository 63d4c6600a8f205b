//! Output: data on stdout, everything else on stderr.

mod confirm;
mod format;
mod printable;
mod progress;
mod say;
mod table;

pub(crate) use confirm::{confirm, is_interactive};
pub(crate) use format::Format;
pub(crate) use printable::{excerpt, or_dash, printable};
pub(crate) use progress::Progress;
pub(crate) use say::{items, letters, say};
pub(crate) use table::{Align, Fields, Rows};
