//! Counts which kinds of replies occurred: a run without conflicts would not test them.

use std::collections::BTreeMap;

use super::letter::{LetterOp, LetterReply};

#[derive(Debug, Default)]
pub(super) struct Coverage(BTreeMap<String, u64>);

/// A run over all seeds must see each of these.
const REQUIRED: [&str; 24] = [
    "manual claim: conflict, retrying",
    "manual claim: conflict, archived",
    "manual claim: conflict, completed",
    "manual claim: no such letter",
    "edit: conflict, retrying",
    "edit: conflict, archived",
    "edit: conflict, completed",
    "edit: no such letter",
    "archive: unchanged",
    "archive: no such letter",
    "archive: no reply",
    "restore: unchanged",
    "restore: source id in use",
    "restore: no such letter",
    "purge: unchanged",
    "purge: no reply",
    "settle: stale",
    "extend: stale",
    "capture: no reply",
    "record: late",
    "record: lost",
    "work: repeated, outcome flagged as unknown",
    "capture: merged",
    "restart",
];

impl Coverage {
    pub(super) fn count(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    pub(super) fn count_op(&mut self, op: &LetterOp, reply: Option<&LetterReply>) {
        let kind = match op {
            LetterOp::Capture(_) => "capture",
            LetterOp::Merge => return self.count("capture: merged"),
            LetterOp::Claim { .. } => "claim",
            LetterOp::ManualClaim { .. } => "manual claim",
            LetterOp::Archive => "archive",
            LetterOp::Restore => "restore",
            LetterOp::Edit { .. } => "edit",
            LetterOp::Purge => "purge",
            LetterOp::Settle { .. } => "settle",
            LetterOp::Extend { .. } => "extend",
            LetterOp::Read => return,
        };
        let reply = match reply {
            None => "no reply".to_owned(),
            Some(LetterReply::Conflict(status)) => format!("conflict, {status}"),
            Some(LetterReply::Unchanged) => "unchanged".to_owned(),
            Some(LetterReply::SourceIdInUse) => "source id in use".to_owned(),
            Some(LetterReply::NoSuchLetter) => "no such letter".to_owned(),
            Some(LetterReply::Stale) => "stale".to_owned(),
            Some(LetterReply::Done | LetterReply::Claimed { .. } | LetterReply::Deadline(_) | LetterReply::View(_)) => {
                "done".to_owned()
            }
        };
        self.count(format!("{kind}: {reply}"));
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (what, times) in &other.0 {
            *self.0.entry(what.clone()).or_default() += times;
        }
    }

    /// Asserts that every required reply occurred. A single seed need not cover all of them.
    pub(super) fn assert_complete(&self) {
        println!("{self:#?}");
        let missing: Vec<&str> = REQUIRED.into_iter().filter(|what| !self.0.contains_key(*what)).collect();
        assert!(missing.is_empty() || std::env::var_os("REDRIVE_SEED").is_some(), "never occurred: {missing:?}");
    }
}
