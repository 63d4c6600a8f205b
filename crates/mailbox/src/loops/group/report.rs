//! What a group of loops did.

use redrive_run::RunReport;

/// What a group of loops did until it ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupReport {
    /// In the order of the loops.
    pub loops: Vec<LoopReport>,
}

/// What a loop did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopReport {
    pub name: String,
    /// The report of its last run; `None` if it did not end in time, or with an error.
    pub report: Option<RunReport>,
    /// How often it was started again.
    pub restarts: u32,
    /// The last error with which it ended.
    pub error: Option<String>,
    /// Whether it, or one of its handlers, did not end in time.
    pub has_missed_deadline: bool,
}

impl GroupReport {
    /// The names of the loops that did not end in time.
    pub fn missed(&self) -> Vec<&str> {
        self.loops.iter().filter(|one| one.has_missed_deadline).map(|one| one.name.as_str()).collect()
    }
}
