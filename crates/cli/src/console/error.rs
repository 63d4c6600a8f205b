//! An error on stderr: as text, or with `--output json` as one JSON object.

use serde_json::json;

use super::{Format, say};
use crate::cli_error::CliError;
use crate::exit::Exit;

/// Prints an error with its causes and its remedy, and returns the exit code.
pub(crate) fn print_error(error: &anyhow::Error, format: Format) -> Exit {
    let exit = error.downcast_ref::<CliError>().map_or(Exit::Error, CliError::exit);
    match format {
        Format::Table => say(format_args!("error: {error:#}")),
        Format::Json => {
            let shown = format!("{error:#}");
            let (message, remedy) = match shown.split_once("\n  ") {
                Some((message, remedy)) => (message, Some(remedy)),
                None => (shown.as_str(), None),
            };
            print_object(message, remedy, exit as u8);
        }
    }
    exit
}

/// Prints invalid usage, which the argument parser has found, as an object. Its text begins with the error, followed by
/// tips and the usage, with empty lines between them.
pub(crate) fn print_usage_error(error: &clap::Error) {
    let shown = error.to_string();
    let mut paragraphs = shown.split("\n\n").map(|paragraph| {
        paragraph.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    });
    let message = paragraphs.next().unwrap_or_default();
    let tip = paragraphs.find_map(|paragraph| paragraph.strip_prefix("tip: ").map(str::to_owned));
    print_object(message.trim_start_matches("error: "), tip.as_deref(), Exit::Usage as u8);
}

fn print_object(message: &str, remedy: Option<&str>, exit_code: u8) {
    say(json!({ "error": message, "remedy": remedy, "exit_code": exit_code }));
}
