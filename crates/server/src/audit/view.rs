//! Audit records as callers see them.

use redrive_proto::redrive::v1::{AuditRecordInfo, AuditTargetInfo};

use super::AuditRecord;
use super::filter::AuditView;
use crate::wire::big_count;

/// A record, under the id of its key. Fields about the records of other namespaces are only for callers that may read
/// the whole log.
pub(super) fn info(id: String, record: AuditRecord, view: &AuditView) -> AuditRecordInfo {
    let AuditRecord { actor, origin, result, .. } = record;
    let (unrecorded, previous) =
        if view.is_whole() { (big_count(record.unrecorded), record.previous) } else { (0, String::new()) };
    AuditRecordInfo {
        id,
        incarnation: record.incarnation,
        sequence: big_count(record.sequence),
        time: Some(record.time),
        namespace: record.namespace.unwrap_or_default(),
        user_id: actor.user,
        username: actor.name.unwrap_or_default(),
        key_id: actor.key.unwrap_or_default(),
        key_name: actor.key_name.unwrap_or_default(),
        peer: origin.peer.unwrap_or_default(),
        request_id: origin.request.unwrap_or_default(),
        action: record.action,
        targets: record
            .targets
            .into_iter()
            .map(|target| AuditTargetInfo { kind: target.kind, name: target.name, ..AuditTargetInfo::default() })
            .collect(),
        reason: record.reason.unwrap_or_default(),
        before: record.before.unwrap_or_default(),
        after: record.after.unwrap_or_default(),
        plan: record.plan.unwrap_or_default(),
        code: result.code.into(),
        message: result.message,
        unrecorded,
        previous,
        ..AuditRecordInfo::default()
    }
}

/// A record that cannot be read.
pub(super) fn unreadable(id: String, why: String) -> AuditRecordInfo {
    AuditRecordInfo { id, problem: why, ..AuditRecordInfo::default() }
}
