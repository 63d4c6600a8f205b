//! Tables that fit the width of the output: columns are left out or cut, and rows are never wrapped.

use std::io::Write;

use anyhow::Result;
use comfy_table::{Cell, CellAlignment, ColumnConstraint, Row, Table, Width, presets};

use super::{Align, printable};

/// The space between two columns.
const GAP: usize = 2;
/// Rows per chunk. The column widths are computed chunk by chunk.
const CHUNK_ROWS: usize = 500;
/// A character that no printable cell contains. Cells would be cut at their words otherwise.
const NO_DELIMITER: char = '\u{1}';

#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) align: Align,
    pub(crate) fit: Fit,
}

/// How a column fits the output.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fit {
    /// Not cut; left out if the output is narrower than this.
    From(usize),
    /// Cut to the space that is left, but not below `min`; left out if the output is narrower than `from`.
    Cut { from: usize, min: usize },
}

impl Column {
    /// A column of text that is always shown.
    pub(crate) const fn text(name: &'static str) -> Self {
        Self { name, align: Align::Text, fit: Fit::From(0) }
    }

    /// A column of numbers that is always shown.
    pub(crate) const fn number(name: &'static str) -> Self {
        Self { name, align: Align::Number, fit: Fit::From(0) }
    }

    /// Leaves the column out if the output is narrower than this.
    pub(crate) const fn from(self, width: usize) -> Self {
        let fit = match self.fit {
            Fit::From(_) => Fit::From(width),
            Fit::Cut { min, .. } => Fit::Cut { from: width, min },
        };
        Self { fit, ..self }
    }

    /// Cuts the column to the space that is left, but not below `min`.
    pub(crate) const fn cut(self, min: usize) -> Self {
        let from = match self.fit {
            Fit::From(from) | Fit::Cut { from, .. } => from,
        };
        Self { fit: Fit::Cut { from, min }, ..self }
    }

    const fn is_shown(&self, width: Option<usize>) -> bool {
        let (Fit::From(from) | Fit::Cut { from, .. }) = self.fit;
        match width {
            Some(width) => from <= width,
            None => true,
        }
    }
}

/// Rows below a header, cut to a width.
pub(crate) struct FittedRows<W> {
    out: W,
    columns: &'static [Column],
    width: Option<usize>,
    rows: Vec<Vec<String>>,
    is_begun: bool,
}

impl<W: Write> FittedRows<W> {
    /// Without a width, every column is shown and none is cut.
    pub(crate) const fn new(out: W, columns: &'static [Column], width: Option<usize>) -> Self {
        Self { out, columns, width, rows: Vec::new(), is_begun: false }
    }

    /// Adds a row, with a cell for every column, including those that are left out.
    pub(crate) fn push(&mut self, row: Vec<String>) -> Result<()> {
        let shown = row.into_iter().zip(self.columns).filter(|(_, column)| column.is_shown(self.width));
        self.rows.push(shown.map(|(cell, _)| printable(&cell)).collect());
        if self.rows.len() >= CHUNK_ROWS { self.print() } else { Ok(()) }
    }

    /// Prints the remaining rows. The header of an empty list is printed, too.
    pub(crate) fn finish(mut self) -> Result<()> {
        if self.rows.is_empty() && self.is_begun { Ok(()) } else { self.print() }
    }

    fn print(&mut self) -> Result<()> {
        let columns: Vec<&Column> = self.columns.iter().filter(|column| column.is_shown(self.width)).collect();
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        if !self.is_begun {
            table.set_header(columns.iter().map(|column| column.name));
        }
        for row in self.rows.drain(..) {
            let mut row = Row::from(row.into_iter().map(Cell::new).collect::<Vec<_>>());
            row.max_height(1);
            table.add_row(row);
        }
        let needed: Vec<usize> = table.column_max_content_widths().into_iter().map(usize::from).collect();
        let widths = widths(&columns, &needed, self.width);
        let last = columns.len().saturating_sub(1);
        for (number, ((column, kind), width)) in table.column_iter_mut().zip(&columns).zip(widths).enumerate() {
            let gap = if number == last { 0 } else { GAP };
            column.set_padding((0, u16::try_from(gap)?));
            column.set_delimiter(NO_DELIMITER);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(u16::try_from(width + gap)?)));
            if kind.align == Align::Number {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        self.is_begun = true;
        writeln!(self.out, "{}", table.trim_fmt())?;
        Ok(self.out.flush()?)
    }
}

/// The widths of the columns: as needed, with the widest of those that can be cut reduced until the table fits. The last
/// column, which has the text of a row, keeps twice as much as the others.
fn widths(columns: &[&Column], needed: &[usize], width: Option<usize>) -> Vec<usize> {
    let mut widths: Vec<usize> = needed.iter().map(|needed| (*needed).max(1)).collect();
    let Some(width) = width else { return widths };
    let gaps = GAP * columns.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > width {
        let last = columns.len().saturating_sub(1);
        let cut =
            columns.iter().zip(&mut widths).enumerate().filter_map(|(number, (column, width))| match column.fit {
                Fit::Cut { min, .. } if *width > min => Some((if number == last { *width } else { *width * 2 }, width)),
                _ => None,
            });
        let Some((_, widest)) = cut.max_by_key(|(weight, _)| *weight) else { break };
        *widest -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] = &[
        Column::text("ID"),
        Column::number("COUNT").from(40),
        Column::text("NAME").cut(4),
        Column::text("ERROR").cut(8),
    ];

    fn printed(width: Option<usize>, rows: &[[&str; 4]]) -> String {
        let mut out = Vec::new();
        let mut table = FittedRows::new(&mut out, COLUMNS, width);
        for row in rows {
            table.push(row.map(str::to_owned).to_vec()).unwrap();
        }
        table.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_left_out_and_cut_until_the_table_fits() {
        let rows = [["a1", "3", "order", "connection refused by the bank"], ["b2", "12", "n", "short"]];
        assert_eq!(
            printed(None, &rows),
            "ID  COUNT  NAME   ERROR\na1      3  order  connection refused by the bank\nb2     12  n      short\n"
        );
        assert_eq!(
            printed(Some(40), &rows),
            "ID  COUNT  NAME   ERROR\na1      3  order  connection refused by…\nb2     12  n      short\n"
        );
        assert_eq!(printed(Some(30), &rows), "ID  NAME   ERROR\na1  order  connection refused…\nb2  n      short\n");
        assert_eq!(printed(Some(20), &rows), "ID  NAME   ERROR\na1  order  connecti…\nb2  n      short\n");
        assert_eq!(printed(Some(1), &rows), "ID  NAME  ERROR\na1  ord…  connect…\nb2  n     short\n");
    }

    #[test]
    fn wide_characters_count_twice_and_control_characters_are_escaped() {
        let rows = [["a1", "3", "注文", "銀行に接続できませんでした\n"]];
        let shown = printed(Some(24), &rows);
        assert_eq!(shown, "ID  NAME  ERROR\na1  注文  銀行に接続で…\n");
    }

    #[test]
    fn an_empty_table_has_a_header() {
        assert_eq!(printed(Some(80), &[]), "ID  COUNT  NAME  ERROR\n");
    }
}
