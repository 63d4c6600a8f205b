//! What a template would mean for the letters that are there.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersPreviewRequest;
use serde::Serialize;

use super::form::Form;
use crate::console::Format;
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Nothing is changed. Without --regex and --when, the template of that name which the queue has is meant.

Examples:
  redrive letters templates preview orders-dead slow-bank --regex 'bank .* timed out' --retry-policy linear
  redrive letters templates preview orders-dead slow-bank"
)]
pub(super) struct Arguments {
    queue: String,
    name: String,
    #[command(flatten)]
    form: Form,
}

/// All pages together.
#[derive(Debug, Default, Serialize)]
struct Counted {
    looked_at: i64,
    matches: i64,
    policy_changes: i64,
    max_retries_changes: i64,
    route_changes: i64,
    broken: i64,
    sample: Vec<String>,
}

const SAMPLE: usize = 10;

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let letters = session.client.letters(&arguments.queue);
    let template = arguments.form.has_condition().then(|| arguments.form.template(&arguments.name));
    let mut request =
        LettersPreviewRequest { template, name: arguments.name.clone(), ..LettersPreviewRequest::default() };
    let mut counted = Counted::default();
    loop {
        let page = session.ask(letters.preview(request.clone())).await?;
        counted.looked_at += page.looked_at;
        counted.matches += page.matches;
        counted.policy_changes += page.policy_changes;
        counted.max_retries_changes += page.max_retries_changes;
        counted.route_changes += page.route_changes;
        counted.broken += page.broken;
        counted.sample.extend(page.sample);
        counted.sample.truncate(SAMPLE);
        if page.next.is_empty() {
            break;
        }
        request.after = page.next;
    }
    let mut out = session.out();
    match session.format {
        Format::Json => writeln!(out, "{}", serde_json::to_string(&counted)?)?,
        Format::Table => tell(&counted, &mut out)?,
    }
    Ok(out.flush()?)
}

fn tell(counted: &Counted, out: &mut impl Write) -> Result<()> {
    let Counted { looked_at, matches, policy_changes, max_retries_changes, route_changes, broken, sample } = counted;
    writeln!(out, "{matches} of {looked_at} live letters match; captured now, they would have")?;
    writeln!(out, "  another policy       {policy_changes}")?;
    writeln!(out, "  other retries        {max_retries_changes}")?;
    writeln!(out, "  another destination  {route_changes}")?;
    if *broken > 0 {
        writeln!(out, "for {broken} its condition cannot be evaluated; test first, as with 'key' in metadata")?;
    }
    for id in sample {
        writeln!(out, "for instance {id}")?;
    }
    Ok(())
}
