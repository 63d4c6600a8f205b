//! The audit record.

use redrive_core::Time;
use redrive_proto::Timestamp;
use serde::{Deserialize, Serialize};

use super::{AuditRecordId, AuditTarget};
use crate::records::Record;

/// The record of one administrative act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// The run of a server that wrote the record: its chain.
    pub incarnation: String,
    /// The position in the chain, from 0.
    pub sequence: u64,
    pub time: Timestamp,
    pub actor: AuditActor,
    pub origin: AuditOrigin,
    /// The namespace of the act; `None` for acts of the server itself, and for rejected acts that named no existing
    /// object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The call, as in `queues.create`.
    pub action: String,
    pub targets: Vec<AuditTarget>,
    /// The caller's reason, from the header `X-Redrive-Reason`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// SHA-256 of the target's JSON before the act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// SHA-256 of the target's JSON after the act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// SHA-256 of the JSON list of the objects that the act works on, if the record does not list all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    pub result: AuditResult,
    /// The number of rejected acts before this one that have no record because of the rate limit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unrecorded: u64,
    /// SHA-256 of the previous record, as it is stored.
    pub previous: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Record for AuditRecord {}

impl AuditRecord {
    /// An act of the server itself, which has no place in a chain yet.
    pub(crate) fn of_server(action: &str, now: Time) -> Self {
        Self {
            incarnation: String::new(),
            sequence: 0,
            time: now.into(),
            actor: AuditActor { user: "_server".to_owned(), name: None, key: None, key_name: None },
            origin: AuditOrigin::default(),
            namespace: None,
            action: action.to_owned(),
            targets: Vec::new(),
            reason: None,
            before: None,
            after: None,
            plan: None,
            result: AuditResult { code: 200, message: String::new() },
            unrecorded: 0,
            previous: String::new(),
        }
    }

    pub fn id(&self) -> AuditRecordId {
        AuditRecordId { incarnation: self.incarnation.clone(), sequence: self.sequence }
    }
}

/// The actor of an act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditActor {
    /// The id of a user, or `_server` for the server itself.
    pub user: String,
    /// The name of the user at the time of the act; `None` for the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The id of the API key; `None` for anonymous callers and for the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The name of the API key, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_name: Option<String>,
}

/// The origin of an act; empty for acts of the server itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AuditOrigin {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
}

/// The result of an act: 200, or the code and the constant part of the message of a rejection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditResult {
    pub code: u16,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}
