//! What plays went through: one that meets no conflict proves nothing about them.

use std::collections::BTreeMap;

use super::letter::{Ask, Told};

#[derive(Debug, Default)]
pub(super) struct Tally(BTreeMap<String, u64>);

/// Each of these is met in every run of all seeds.
const MUST_BE_MET: [&str; 24] = [
    "claim by hand: conflict, retrying",
    "claim by hand: conflict, archived",
    "claim by hand: conflict, completed",
    "claim by hand: no such letter",
    "edit: conflict, retrying",
    "edit: conflict, archived",
    "edit: conflict, completed",
    "edit: no such letter",
    "archive: already",
    "archive: no such letter",
    "archive: unheard",
    "restore: already",
    "restore: held",
    "restore: no such letter",
    "purge: already",
    "purge: unheard",
    "settle: stale",
    "extend: stale",
    "capture: unheard",
    "record: late",
    "record: lost",
    "work: again, and told so",
    "capture: merged",
    "restart",
];

impl Tally {
    pub(super) fn count(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    pub(super) fn asked(&mut self, ask: &Ask, told: Option<&Told>) {
        let asked = match ask {
            Ask::Capture(_) => "capture",
            Ask::Merge => return self.count("capture: merged"),
            Ask::Claim { .. } => "claim",
            Ask::ClaimByHand { .. } => "claim by hand",
            Ask::Archive => "archive",
            Ask::Restore => "restore",
            Ask::Edit { .. } => "edit",
            Ask::Purge => "purge",
            Ask::Settle { .. } => "settle",
            Ask::Extend { .. } => "extend",
            Ask::Look => return,
        };
        let told = match told {
            None => "unheard".to_owned(),
            Some(Told::Conflict(status)) => format!("conflict, {status}"),
            Some(Told::Already) => "already".to_owned(),
            Some(Told::Held) => "held".to_owned(),
            Some(Told::NoSuchLetter) => "no such letter".to_owned(),
            Some(Told::Stale) => "stale".to_owned(),
            Some(Told::Done | Told::Taken { .. } | Told::Deadline(_) | Told::Seen(_)) => "done".to_owned(),
        };
        self.count(format!("{asked}: {told}"));
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (what, times) in &other.0 {
            *self.0.entry(what.clone()).or_default() += times;
        }
    }

    /// That what the test is about was met. One seed alone need not meet everything.
    pub(super) fn assert_met(&self) {
        println!("{self:#?}");
        let missed: Vec<&str> = MUST_BE_MET.into_iter().filter(|what| !self.0.contains_key(*what)).collect();
        assert!(missed.is_empty() || std::env::var_os("REDRIVE_SEED").is_some(), "never met: {missed:?}");
    }
}
