//! The letter settings of the server's configuration, as `letters.configure` shows them.

/// One letter setting of the server: its value and where the value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredSetting {
    /// The configuration key without `dlq.`.
    pub name: String,
    /// The value as an operator would write it; secrets are masked. For settings that a queue can override,
    /// `letters.configure` shows the effective value instead.
    pub value: String,
    pub source: ConfigSource,
}

/// Where the value of a setting comes from.
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
