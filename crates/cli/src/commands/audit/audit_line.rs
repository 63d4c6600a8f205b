//! An audit record as a line of JSON, as a row of a table, or as fields.

use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{AuditRecordInfo, AuditTargetInfo};
use serde::Serialize;

use crate::console::{Align, Fields, excerpt, given, or_dash, shown_time};

/// The maximum width of the targets and of the reason in a table.
const CELL_CHARS: usize = 60;

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
pub(super) struct AuditLine<'r> {
    id: &'r str,
    time: Option<Timestamp>,
    namespace: Option<&'r str>,
    action: &'r str,
    user_id: &'r str,
    username: Option<&'r str>,
    key_id: Option<&'r str>,
    key_name: Option<&'r str>,
    peer: Option<&'r str>,
    request_id: Option<&'r str>,
    targets: Vec<TargetEntry<'r>>,
    reason: Option<&'r str>,
    code: i32,
    message: Option<&'r str>,
    before: Option<&'r str>,
    after: Option<&'r str>,
    plan: Option<&'r str>,
    unrecorded: i64,
    incarnation: &'r str,
    sequence: i64,
    previous: Option<&'r str>,
    /// Why the record cannot be read.
    problem: Option<&'r str>,
}

#[derive(Debug, Serialize)]
struct TargetEntry<'r> {
    kind: &'r str,
    name: &'r str,
    /// Of a user whom the caller may know.
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<&'r str>,
}

impl<'r> From<&'r AuditRecordInfo> for AuditLine<'r> {
    fn from(record: &'r AuditRecordInfo) -> Self {
        let target = |target: &'r AuditTargetInfo| {
            let AuditTargetInfo { kind, name, username } = target;
            TargetEntry { kind, name, username: given(username) }
        };
        Self {
            id: &record.id,
            time: record.time,
            namespace: given(&record.namespace),
            action: &record.action,
            user_id: &record.user_id,
            username: given(&record.username),
            key_id: given(&record.key_id),
            key_name: given(&record.key_name),
            peer: given(&record.peer),
            request_id: given(&record.request_id),
            targets: record.targets.iter().map(target).collect(),
            reason: given(&record.reason),
            code: record.code,
            message: given(&record.message),
            before: given(&record.before),
            after: given(&record.after),
            plan: given(&record.plan),
            unrecorded: record.unrecorded,
            incarnation: &record.incarnation,
            sequence: record.sequence,
            previous: given(&record.previous),
            problem: given(&record.problem),
        }
    }
}

pub(super) const HEADER: &[(&str, Align)] = &[
    ("TIME", Align::Text),
    ("ACTOR", Align::Text),
    ("ACTION", Align::Text),
    ("RESULT", Align::Number),
    ("NAMESPACE", Align::Text),
    ("TARGETS", Align::Text),
    ("REASON", Align::Text),
    ("ID", Align::Text),
];

pub(super) fn row(record: &AuditRecordInfo) -> Vec<String> {
    if !record.problem.is_empty() {
        let problem = format!("cannot be read: {}", record.problem);
        let dash = || "-".to_owned();
        return vec![dash(), dash(), dash(), dash(), dash(), excerpt(&problem, CELL_CHARS), dash(), record.id.clone()];
    }
    vec![
        shown_time(record.time),
        actor(record).to_owned(),
        record.action.clone(),
        record.code.to_string(),
        or_dash(&record.namespace).to_owned(),
        excerpt(or_dash(&targets(record)), CELL_CHARS),
        excerpt(or_dash(&record.reason), CELL_CHARS),
        record.id.clone(),
    ]
}

pub(super) fn fields(record: &AuditRecordInfo) -> Fields {
    let fields = Fields::new().with("id", &record.id);
    if !record.problem.is_empty() {
        return fields.with("problem", &format!("the record cannot be read: {}", record.problem));
    }
    let mut fields = fields
        .with("time", &shown_time(record.time))
        .with("action", &record.action)
        .with("result", &result(record))
        .with("actor", actor(record))
        .with("user id", &record.user_id)
        .with_non_empty("key", &record.key_name)
        .with_non_empty("key id", &record.key_id)
        .with_non_empty("peer", &record.peer)
        .with_non_empty("request", &record.request_id)
        .with("namespace", or_dash(&record.namespace));
    for (index, target) in record.targets.iter().enumerate() {
        fields = fields.with(if index == 0 { "targets" } else { "" }, &shown(target));
    }
    let unrecorded = if record.unrecorded > 0 { record.unrecorded.to_string() } else { String::new() };
    fields
        .with("reason", or_dash(&record.reason))
        .with_non_empty("before", &record.before)
        .with_non_empty("after", &record.after)
        .with_non_empty("plan", &record.plan)
        .with_non_empty("unrecorded rejections", &unrecorded)
        .with_non_empty("previous", &record.previous)
}

fn result(record: &AuditRecordInfo) -> String {
    match record.code {
        200 => "200, executed".to_owned(),
        code => format!("{code}, rejected: {}", record.message),
    }
}

/// The name of the user; its id if the record has no name.
fn actor(record: &AuditRecordInfo) -> &str {
    if record.username.is_empty() { &record.user_id } else { &record.username }
}

fn targets(record: &AuditRecordInfo) -> String {
    record.targets.iter().map(|target| format!("{}={}", target.kind, name(target))).collect::<Vec<_>>().join(" ")
}

/// A target with the id and, if it is known, the name of a user.
fn shown(target: &AuditTargetInfo) -> String {
    let AuditTargetInfo { kind, name, username } = target;
    if username.is_empty() { format!("{kind}={name}") } else { format!("{kind}={name} ({username})") }
}

/// The name of a user, else the name of the target.
fn name(target: &AuditTargetInfo) -> &str {
    if target.username.is_empty() { &target.name } else { &target.username }
}
