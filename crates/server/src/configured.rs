//! What a server was configured with about letters, for those who ask.

use std::fmt;

/// One setting about letters: what it is, and who said so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configured {
    /// As in the configuration, without `dlq.`.
    pub name: String,
    /// As a person would write it; what is secret is masked. Of what queues may say themselves, the server knows better.
    pub value: String,
    pub source: ConfigSource,
}

/// Where a setting comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum ConfigSource {
    #[default]
    Default,
    File,
    Environment,
    Flag,
}

impl ConfigSource {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File => "file",
            Self::Environment => "environment",
            Self::Flag => "flag",
        }
    }
}

impl fmt::Display for ConfigSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
