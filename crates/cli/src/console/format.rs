//! The output format.

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Tables and text for reading; may change between versions.
    #[default]
    #[value(alias = "text")]
    Table,
    /// One JSON object per line, with stable field names.
    Json,
}
