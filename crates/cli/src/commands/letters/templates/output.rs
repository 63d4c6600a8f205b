//! The templates of a queue, as lines of JSON or as a table.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{LetterTemplate, LettersTemplatesResponse};
use serde::Serialize;

use crate::console::{Align, Format, Rows};
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
struct TemplateLine<'t> {
    name: &'t str,
    position: i32,
    version: i64,
    #[serde(skip_serializing_if = "str::is_empty")]
    regex: &'t str,
    #[serde(skip_serializing_if = "str::is_empty")]
    field: &'t str,
    #[serde(skip_serializing_if = "str::is_empty")]
    when: &'t str,
    #[serde(skip_serializing_if = "str::is_empty")]
    category: &'t str,
    #[serde(skip_serializing_if = "str::is_empty")]
    retry_policy: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_retries: Option<i32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    delay: &'t str,
    #[serde(skip_serializing_if = "str::is_empty")]
    route: &'t str,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'t str,
}

impl<'t> TemplateLine<'t> {
    fn of(template: &'t LetterTemplate) -> Self {
        Self {
            name: &template.name,
            position: template.position,
            version: template.version,
            regex: &template.regex,
            field: &template.field,
            when: &template.when,
            category: &template.category,
            retry_policy: &template.retry_policy,
            max_retries: template.max_retries,
            delay: &template.delay,
            route: &template.route,
            note: &template.note,
        }
    }
}

pub(super) fn print(response: &LettersTemplatesResponse, session: &Session) -> Result<()> {
    let mut out = session.out();
    match session.format {
        Format::Json => {
            for template in &response.templates {
                writeln!(out, "{}", serde_json::to_string(&TemplateLine::of(template))?)?;
            }
        }
        Format::Table => {
            let mut rows = Rows::new(&mut out, HEADER);
            for template in &response.templates {
                rows.push(vec![
                    template.name.clone(),
                    template.version.to_string(),
                    matches(template),
                    template.category.clone(),
                    policy(template),
                    template.max_retries.map(|most| most.to_string()).unwrap_or_default(),
                    template.route.clone(),
                    template.note.clone(),
                ])?;
            }
            rows.finish()?;
        }
    }
    Ok(out.flush()?)
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
