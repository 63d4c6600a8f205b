//! A list on stdout: a table, or one JSON object per line.

use std::io::{BufWriter, Stdout, Write, stdout};

use anyhow::Result;
use serde::Serialize;

use super::{Align, Column, FittedRows, Format, Rows, output_width};

/// The entries of a list, in the format of the command.
pub(crate) enum Lines {
    Table(Rows<BufWriter<Stdout>>),
    Fitted(FittedRows<BufWriter<Stdout>>),
    Json(BufWriter<Stdout>),
}

impl Lines {
    pub(crate) fn new(format: Format, header: &'static [(&'static str, Align)]) -> Self {
        let out = BufWriter::new(stdout());
        match format {
            Format::Table => Self::Table(Rows::new(out, header)),
            Format::Json => Self::Json(out),
        }
    }

    /// A list whose table fits the width of the output.
    pub(crate) fn fitted(format: Format, columns: &'static [Column]) -> Self {
        let out = BufWriter::new(stdout());
        match format {
            Format::Table => Self::Fitted(FittedRows::new(out, columns, output_width())),
            Format::Json => Self::Json(out),
        }
    }

    /// Adds an entry: its row of a table, or its object.
    pub(crate) fn push(&mut self, row: impl FnOnce() -> Vec<String>, object: &impl Serialize) -> Result<()> {
        match self {
            Self::Table(rows) => rows.push(row()),
            Self::Fitted(rows) => rows.push(row()),
            Self::Json(out) => Ok(writeln!(out, "{}", serde_json::to_string(object)?)?),
        }
    }

    /// Prints the objects so far: the next ones may take long. The rows of a table are printed in chunks.
    pub(crate) fn flush(&mut self) -> Result<()> {
        match self {
            Self::Table(_) | Self::Fitted(_) => Ok(()),
            Self::Json(out) => Ok(out.flush()?),
        }
    }

    /// Prints the rest. The header of an empty table is printed, too.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Table(rows) => rows.finish(),
            Self::Fitted(rows) => rows.finish(),
            Self::Json(mut out) => Ok(out.flush()?),
        }
    }
}
