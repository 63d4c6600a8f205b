//! `redrive letters stats`.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::letter_stats;
use redrive_client::proto::redrive::v1::LettersStatsResponse;
use serde_json::Value;

use crate::console::{Align, Format, Rows};
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
}

const HEADER: &[(&str, Align)] = &[("STATISTIC", Align::Text), ("VALUE", Align::Number)];

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let stats = session.call(session.client.letters(&arguments.queue).stats()).await?;
    let mut out = session.out();
    match session.format {
        Format::Json => writeln!(out, "{}", letter_stats(&stats))?,
        Format::Table => {
            let mut rows = Rows::new(&mut out, HEADER);
            lines(&stats).into_iter().try_for_each(|(name, value)| rows.push(vec![name, value]))?;
            rows.finish()?;
        }
    }
    Ok(out.flush()?)
}

/// Each value with the path to it, as in `lifetime_stats.archived`.
fn lines(stats: &LettersStatsResponse) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    flatten("", &letter_stats(stats), &mut lines);
    lines
}

fn flatten(name: &str, value: &Value, lines: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                flatten(&name, value, lines);
            }
        }
        Value::Array(texts) => {
            let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
            lines.push((name.to_owned(), texts.join(", ")));
        }
        Value::Null => lines.push((name.to_owned(), String::new())),
        Value::String(text) => lines.push((name.to_owned(), text.clone())),
        Value::Bool(_) | Value::Number(_) => lines.push((name.to_owned(), value.to_string())),
    }
}
