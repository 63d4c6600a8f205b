//! Tables, printed in chunks: a list may be larger than memory.

use std::io::Write;

use anyhow::Result;
use comfy_table::{CellAlignment, ColumnConstraint, Table, Width, presets};

use super::printable;

/// Rows per chunk. The column widths are computed chunk by chunk.
const CHUNK_ROWS: usize = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Text,
    Number,
}

/// Rows below a header. A column never becomes narrower than in the chunk before.
pub(crate) struct Rows<W> {
    out: W,
    header: &'static [(&'static str, Align)],
    rows: Vec<Vec<String>>,
    widths: Vec<u16>,
    is_begun: bool,
}

impl<W: Write> Rows<W> {
    pub(crate) const fn new(out: W, header: &'static [(&'static str, Align)]) -> Self {
        Self { out, header, rows: Vec::new(), widths: Vec::new(), is_begun: false }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) -> Result<()> {
        self.rows.push(row.into_iter().map(|cell| printable(&cell)).collect());
        if self.rows.len() >= CHUNK_ROWS { self.print() } else { Ok(()) }
    }

    /// Prints the remaining rows. The header of an empty list is printed, too.
    pub(crate) fn finish(mut self) -> Result<()> {
        if self.rows.is_empty() && self.is_begun { Ok(()) } else { self.print() }
    }

    fn print(&mut self) -> Result<()> {
        let mut table = plain();
        if !self.is_begun {
            table.set_header(self.header.iter().map(|(name, _)| *name));
        }
        table.add_rows(self.rows.drain(..));
        self.widths.resize(self.header.len(), 1);
        for (width, needed) in self.widths.iter_mut().zip(table.column_max_content_widths()) {
            *width = needed.max(*width);
        }
        for ((column, (_, align)), width) in table.column_iter_mut().zip(self.header).zip(&self.widths) {
            column.set_padding((0, 2));
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width.saturating_add(2))));
            if *align == Align::Number {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        self.is_begun = true;
        writeln!(self.out, "{}", table.trim_fmt())?;
        Ok(self.out.flush()?)
    }
}

/// The fields of one object, a name and a value per line.
pub(crate) struct Fields(Table);

impl Fields {
    pub(crate) fn new() -> Self {
        Self(plain())
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.0.add_row([printable(name), printable(value)]);
        self
    }

    /// Adds the field unless its value is empty.
    #[must_use]
    pub(crate) fn with_non_empty(self, name: &str, value: &str) -> Self {
        if value.is_empty() { self } else { self.with(name, value) }
    }

    pub(crate) fn print(mut self, mut out: impl Write) -> Result<()> {
        for column in self.0.column_iter_mut() {
            column.set_padding((0, 2));
        }
        Ok(writeln!(out, "{}", self.0.trim_fmt())?)
    }
}

fn plain() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table
}
