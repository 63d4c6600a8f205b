//! One record.

use bytes::Bytes;
use redrive_proto::Timestamp;
use serde::{Deserialize, Serialize};

use super::AuditTarget;
use crate::records::{Record, key};

/// What is kept about one administrative act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Which server wrote it, from one of its starts to its end.
    pub incarnation: String,
    /// Its place in the chain, from 0.
    pub sequence: u64,
    pub time: Timestamp,
    pub actor: AuditActor,
    pub origin: AuditOrigin,
    /// The call, as in `queues.create`.
    pub action: String,
    pub targets: Vec<AuditTarget>,
    /// Why, if the caller said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// SHA-256 of the JSON of what there was before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// SHA-256 of the JSON of what there is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// SHA-256 of the JSON list of what was to be worked on, where that is too much to be listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    pub result: AuditResult,
    /// How many refusals before this one were counted only.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unrecorded: u64,
    /// SHA-256 of the record before it, as it is stored.
    pub previous: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Record for AuditRecord {}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditActor {
    /// The id of a user, or `_server` for the server itself.
    pub user: String,
    /// The id of the key that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// Where it came from; nothing, where the server did it by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AuditOrigin {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
}

/// What came of it: 200, or the code and the stable part of the message of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditResult {
    pub code: u16,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// Where all records stand, in the order of their incarnations.
pub(super) fn prefix() -> Bytes {
    key(["audit"])
}

/// Where the records of one chain stand.
pub(super) fn chain_prefix(incarnation: &str) -> Bytes {
    key(["audit", incarnation])
}

pub(super) fn record_key(incarnation: &str, sequence: u64) -> Bytes {
    key(["audit", incarnation, &format!("{sequence:016x}")])
}
