//! The acts on many letters.

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::commands::letters) enum Action {
    /// Retry pending and exhausted letters now.
    Retry,
    /// Give exhausted letters their retries back.
    Resume,
    /// Archive letters.
    Archive,
    /// Restore archived letters to their previous status.
    Restore,
    /// Delete letters permanently.
    Purge,
}

impl Action {
    pub(super) const fn verb(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Resume => "resume",
            Self::Archive => "archive",
            Self::Restore => "restore",
            Self::Purge => "purge",
        }
    }

    pub(in crate::commands::letters) const fn participle(self) -> &'static str {
        match self {
            Self::Retry => "retried",
            Self::Resume => "resumed",
            Self::Archive => "archived",
            Self::Restore => "restored",
            Self::Purge => "purged",
        }
    }

    /// The participle of an action by the name that the server uses.
    pub(super) fn participle_of(verb: &str) -> &'static str {
        let action = <Self as clap::ValueEnum>::from_str(verb, false);
        action.map_or("changed", Self::participle)
    }
}
