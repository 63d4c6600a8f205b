//! The templates of a queue, as they are shown.

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
    ("POLICY", Align::Text),
    ("RETRIES", Align::Number),
    ("ROUTE", Align::Text),
    ("NOTE", Align::Text),
];

/// For programs.
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
    retry_policy: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_retries: Option<i32>,
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
            retry_policy: &template.retry_policy,
            max_retries: template.max_retries,
            route: &template.route,
            note: &template.note,
        }
    }
}

pub(super) fn print(told: &LettersTemplatesResponse, session: &Session) -> Result<()> {
    let mut out = session.out();
    match session.format {
        Format::Json => {
            for template in &told.templates {
                writeln!(out, "{}", serde_json::to_string(&TemplateLine::of(template))?)?;
            }
        }
        Format::Table => {
            let mut rows = Rows::new(&mut out, HEADER);
            for template in &told.templates {
                rows.push(vec![
                    template.name.clone(),
                    template.version.to_string(),
                    matches(template),
                    template.retry_policy.clone(),
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

fn matches(template: &LetterTemplate) -> String {
    match (template.when.as_str(), template.field.as_str()) {
        ("", "") => format!("message ~ {}", template.regex),
        ("", field) => format!("{field} ~ {}", template.regex),
        (when, _) => when.to_owned(),
    }
}
