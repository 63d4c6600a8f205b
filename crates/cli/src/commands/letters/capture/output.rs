//! The result of a capture, as a line of JSON or as a row of a table.

use anyhow::Result;
use redrive_client::proto::redrive::v1::CapturedLetter;
use serde::Serialize;

use crate::console::{Align, Lines};

pub(super) const HEADER: &[(&str, Align)] = &[
    ("ID", Align::Text),
    ("STATUS", Align::Text),
    ("REASON", Align::Text),
    ("CATEGORY", Align::Text),
    ("RULE", Align::Text),
    ("POLICY", Align::Text),
    ("RETRIES", Align::Number),
    ("SOURCE ID", Align::Text),
];

/// A line of `--output json`.
#[derive(Debug, Serialize)]
struct CapturedLine<'c> {
    id: &'c str,
    queue_name: &'c str,
    source_id: &'c str,
    generation: i32,
    status: &'c str,
    created: bool,
    reason: &'c str,
    category: &'c str,
    rule: &'c str,
    retry_policy: &'c str,
    max_retries: i32,
    #[serde(skip_serializing_if = "str::is_empty")]
    template: &'c str,
    #[serde(skip_serializing_if = "str::is_empty")]
    broken_template: &'c str,
    #[serde(skip_serializing_if = "str::is_empty")]
    broken_rule: &'c str,
}

pub(super) fn push(lines: &mut Lines, queue_name: &str, source_id: &str, captured: &CapturedLetter) -> Result<()> {
    let CapturedLetter {
        id,
        generation,
        status,
        created,
        reason,
        category,
        rule,
        retry_policy,
        max_retries,
        template,
        broken_template,
        broken_rule,
    } = captured;
    let row = || {
        let texts = [id, status, reason, category, rule, retry_policy, &max_retries.to_string()];
        texts.into_iter().cloned().chain([source_id.to_owned()]).collect()
    };
    let line = CapturedLine {
        id,
        queue_name,
        source_id,
        generation: *generation,
        status,
        created: *created,
        reason,
        category,
        rule,
        retry_policy,
        max_retries: *max_retries,
        template,
        broken_template,
        broken_rule,
    };
    lines.push(row, &line)
}
