//! The templates of a queue, as lines of JSON or as a table.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{LetterTemplate, LettersTemplatesResponse};
use serde::Serialize;

use crate::console::{Align, Lines};
use crate::session::Session;

const HEADER: &[(&str, Align)] = &[
    ("NAME", Align::Text),
    ("VERSION", Align::Number),
    ("MATCHES", Align::Text),
    ("CATEGORY", Align::Text),
    ("POLICY", Align::Text),
    ("RETRIES", Align::Number),
    ("ROUTE", Align::Text),
    ("NOTE", Align::Text),
];

/// A line of `--output json`.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct TemplateLine<'t>(#[serde(with = "TemplateFields")] &'t LetterTemplate);

/// The fields of a line, in their order.
#[derive(Serialize)]
#[serde(remote = "LetterTemplate")]
struct TemplateFields {
    name: String,
    position: i32,
    version: i64,
    #[serde(skip_serializing_if = "String::is_empty")]
    regex: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    field: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    when: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    category: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    retry_policy: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_retries: Option<i32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    delay: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    route: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
}

pub(super) fn print(response: &LettersTemplatesResponse, session: &Session) -> Result<()> {
    let mut lines = Lines::new(session.format, HEADER);
    response.templates.iter().try_for_each(|template| lines.push(|| row(template), &TemplateLine(template)))?;
    lines.finish()
}

fn row(template: &LetterTemplate) -> Vec<String> {
    vec![
        template.name.clone(),
        template.version.to_string(),
        matches(template),
        template.category.clone(),
        policy(template),
        template.max_retries.map(|most| most.to_string()).unwrap_or_default(),
        template.route.clone(),
        template.note.clone(),
    ]
}

/// The policy, or the delay that replaces it.
fn policy(template: &LetterTemplate) -> String {
    if template.delay.is_empty() { template.retry_policy.clone() } else { format!("after {}", template.delay) }
}

fn matches(template: &LetterTemplate) -> String {
    match (template.when.as_str(), template.field.as_str()) {
        ("", "") => format!("message ~ {}", template.regex),
        ("", field) => format!("{field} ~ {}", template.regex),
        (when, _) => when.to_owned(),
    }
}
