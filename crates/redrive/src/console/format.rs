//! For whom the output is.

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people; may change between versions.
    #[default]
    #[value(alias = "text")]
    Table,
    /// For programs: one object a line, with names that stay.
    Json,
}
