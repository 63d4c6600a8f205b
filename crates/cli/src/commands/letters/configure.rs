//! `redrive letters configure`.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::LetterSetting;
use serde::Serialize;

use crate::console::{Align, Format, Rows};
use crate::session::Session;

const HEADER: &[(&str, Align)] = &[("NAME", Align::Text), ("VALUE", Align::Text), ("SOURCE", Align::Text)];

#[derive(clap::Args)]
#[command(
    after_help = "Settings have the names of the section [dlq] of the server's configuration; moved_retry_policy,
moved_max_retries and letters_expire exist for queues only. Without NAME=VALUE and --reset, the
command only prints the settings.

Examples:
  redrive letters configure orders-dead
  redrive letters configure orders-dead default_max_retries=5 on_full=overflow --reason 'the bank is slow'
  redrive letters configure orders-dead custom_backoff='list 1s 5s 1m' moved_retry_policy=custom
  redrive letters configure orders-dead --reset on_full"
)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Settings to override for this queue.
    #[arg(value_name = "NAME=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,
    /// Reset a setting to the value of the server's configuration. Repeatable.
    #[arg(long, value_name = "NAME")]
    reset: Vec<String>,
}

/// A line of `--output json`.
#[derive(Debug, Serialize)]
struct SettingLine<'s> {
    name: &'s str,
    value: &'s str,
    source: &'s str,
}

fn pair(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in max_size=500")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let letters = session.client.letters(&arguments.queue);
    let settings = session.call(letters.configure(arguments.set.clone(), arguments.reset.clone())).await?;
    let mut out = session.out();
    match session.format {
        Format::Json => {
            for LetterSetting { name, value, source } in &settings {
                writeln!(out, "{}", serde_json::to_string(&SettingLine { name, value, source })?)?;
            }
        }
        Format::Table => {
            let mut rows = Rows::new(&mut out, HEADER);
            for LetterSetting { name, value, source } in settings {
                rows.push(vec![name, value, source])?;
            }
            rows.finish()?;
        }
    }
    Ok(out.flush()?)
}
