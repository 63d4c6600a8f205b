//! `redrive letters templates preview`: counts the live letters that a template would match.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersPreviewRequest;
use serde::Serialize;

use super::template_options::TemplateOptions;
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "A preview changes nothing. Without --regex and --when, it evaluates the stored template of that name.

Examples:
  redrive letters templates preview orders-dead slow-bank --regex 'bank .* timed out' --retry-policy linear
  redrive letters templates preview orders-dead slow-bank"
)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Template name.
    name: String,
    #[command(flatten)]
    options: TemplateOptions,
}

/// The sums of all pages.
#[derive(Debug, Default, Serialize)]
struct PreviewCounts {
    looked_at: i64,
    matches: i64,
    category_changes: i64,
    policy_changes: i64,
    max_retries_changes: i64,
    route_changes: i64,
    broken: i64,
    sample: Vec<String>,
}

/// The maximum number of ids in the sample.
const SAMPLE: usize = 10;

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let template = arguments.options.has_condition().then(|| arguments.options.template(&arguments.name));
    let mut request = LettersPreviewRequest {
        queue_name: arguments.queue.clone(),
        template,
        name: arguments.name.clone(),
        ..LettersPreviewRequest::default()
    };
    let mut counted = PreviewCounts::default();
    loop {
        let page = session.call(session.client.preview_template(&request)).await?;
        counted.looked_at += page.looked_at;
        counted.matches += page.matches;
        counted.category_changes += page.category_changes;
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
    session.print(&counted, |out| print(&counted, out))
}

fn print(counts: &PreviewCounts, out: &mut impl Write) -> Result<()> {
    let PreviewCounts {
        looked_at,
        matches,
        category_changes,
        policy_changes,
        max_retries_changes,
        route_changes,
        broken,
        sample,
    } = counts;
    writeln!(out, "{matches} of {looked_at} live letters match; with this template, they would have")?;
    writeln!(out, "  another category     {category_changes}")?;
    writeln!(out, "  another policy       {policy_changes}")?;
    writeln!(out, "  other max retries    {max_retries_changes}")?;
    writeln!(out, "  another destination  {route_changes}")?;
    if *broken > 0 {
        writeln!(out, "the condition fails for {broken} letters; test for keys first, as in: 'key' in metadata")?;
    }
    for id in sample {
        writeln!(out, "example: {id}")?;
    }
    Ok(())
}
