//! `redrive letters configure`.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::LetterSetting;
use serde::Serialize;

use crate::console::{Column, FittedRows, Format, counted, given, output_width, say};
use crate::session::Session;

/// The settings that a queue can override.
const OF_QUEUE: &[Column] = &[
    Column::text("SETTING"),
    Column::text("VALUE").cut(12),
    Column::text("SOURCE"),
    Column::text("ALLOWED").cut(18),
    Column::text("SETS").cut(20).from(120),
];

/// The settings of the server only.
const OF_SERVER: &[Column] =
    &[Column::text("SETTING OF THE SERVER"), Column::text("VALUE").cut(12), Column::text("SOURCE")];

#[derive(clap::Args)]
#[command(
    after_help = "Without NAME=VALUE and --reset, the command shows what the queue can set, and what is set. The source of a
value is the queue, or the server's flag, environment, file or default.

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
    allowed: Option<&'s str>,
    description: Option<&'s str>,
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
            for LetterSetting { name, value, source, allowed, description } in &settings {
                let (allowed, description) = (given(allowed), given(description));
                let line = SettingLine { name, value, source, allowed, description };
                writeln!(out, "{}", serde_json::to_string(&line)?)?;
            }
            Ok(out.flush()?)
        }
        Format::Table => {
            print(&settings, &mut out)?;
            out.flush()?;
            let own = match settings.iter().filter(|setting| setting.source == "queue").count() {
                0 => "no setting".to_owned(),
                own => counted(own as u64, "setting"),
            };
            say(format_args!("'{}' overrides {own}", arguments.queue));
            Ok(())
        }
    }
}

fn print(settings: &[LetterSetting], mut out: &mut impl Write) -> Result<()> {
    let width = output_width();
    let (of_queue, of_server): (Vec<_>, Vec<_>) =
        settings.iter().cloned().partition(|setting| !setting.allowed.is_empty());
    let mut rows = FittedRows::new(&mut out, OF_QUEUE, width);
    for LetterSetting { name, value, source, allowed, description } in of_queue {
        rows.push(vec![name, value, source, allowed, description])?;
    }
    rows.finish()?;
    writeln!(out)?;
    let mut rows = FittedRows::new(&mut out, OF_SERVER, width);
    for LetterSetting { name, value, source, .. } in of_server {
        rows.push(vec![name, value, source])?;
    }
    rows.finish()
}
