//! `redrive letters resume`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersResumeRequest;

use super::bulk::{self, BulkScope};
use super::destination::DestinationOption;
use super::group::GroupOption;
use super::letter_selection::LetterSelection;
use crate::session::Session;
use crate::values::parse_filter;

#[derive(clap::Args)]
#[command(
    after_help = "A resumed letter is pending again, with all its retries; the first one follows after the delay of its
policy. Its attempts so far are kept. Letters that are not exhausted are not changed.

Examples:
  redrive letters resume orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive letters resume orders-dead --destination bank --yes --reason 'the bank is back'
  redrive letters resume orders-dead --group 489d256cf7c4 --yes --reason 'the bank is back'
  redrive letters resume orders-dead --filter \"category == 'network'\" --dry-run
  redrive letters list orders-dead -s exhausted -j | redrive letters resume orders-dead -"
)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Letter ids or source ids. With -, they are read from stdin: one id per line, or one object as letters list
    /// --output json prints it. Without ids, select letters with the options: the command shows their number and prompts
    /// for confirmation; it needs --reason.
    #[arg(
        value_name = "ID",
        required_unless_present_any = ["group", "destination", "filter", "all"],
        conflicts_with_all = ["group", "destination", "filter", "all"]
    )]
    ids: Vec<String>,
    #[command(flatten)]
    group: GroupOption,
    #[command(flatten)]
    destination: DestinationOption,
    /// Only letters that match this CEL condition.
    #[arg(long, value_name = "CEL", value_parser = parse_filter)]
    filter: Option<String>,
    /// All exhausted letters of the queue.
    #[arg(long, conflicts_with_all = ["group", "destination", "filter"])]
    all: bool,
    /// Without ids: show what would be done, and change nothing.
    #[arg(long, conflicts_with = "ids")]
    dry_run: bool,
    /// Without ids: do not prompt for confirmation.
    #[arg(long, conflicts_with = "ids")]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let queue = &arguments.queue;
    if arguments.ids.is_empty() {
        let filter = arguments.destination.narrow(arguments.filter.as_deref().unwrap_or_default());
        let scope = BulkScope {
            queue: queue.clone(),
            filter: arguments.group.narrow(&filter, queue, session).await?,
            is_all: arguments.all,
            is_confirmed: arguments.yes,
            is_dry_run: arguments.dry_run,
            ..BulkScope::default()
        };
        return bulk::execute(bulk::Action::Resume, &scope, session).await;
    }
    let resume = async |ids| {
        let request = LettersResumeRequest { queue_name: queue.clone(), ids };
        session.client.resume_letters(&request).await.map(|answer| answer.changed)
    };
    LetterSelection::of_ids(queue, &arguments.ids).change(bulk::Action::Resume, session, resume).await
}
