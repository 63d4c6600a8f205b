//! The health of a server.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The health report of a server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ServerHealth {
    /// `pass`, `warn` if something is degraded, or `fail`.
    pub status: String,
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub checks: BTreeMap<String, Vec<Check>>,
}

/// One check of a health report.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Check {
    pub status: String,
    #[serde(default)]
    pub time: String,
    /// What failed.
    #[serde(default)]
    pub output: String,
}

impl ServerHealth {
    pub fn is_well(&self) -> bool {
        self.status == "pass" || self.status == "warn"
    }
}
