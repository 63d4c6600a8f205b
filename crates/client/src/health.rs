//! How a server says that it is well.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What a server says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ServerHealth {
    /// `pass`, `warn` where something is degraded, or `fail`.
    pub status: String,
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub checks: BTreeMap<String, Vec<Check>>,
}

/// What it looked at.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Check {
    pub status: String,
    #[serde(default)]
    pub time: String,
    /// What was wrong.
    #[serde(default)]
    pub output: String,
}

impl ServerHealth {
    pub fn is_well(&self) -> bool {
        self.status == "pass" || self.status == "warn"
    }
}
