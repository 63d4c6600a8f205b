//! The letters of a command: by their ids, or all that match some options.

use anyhow::Result;

use super::bulk::{BulkScope, RunOptions};
use super::destination::DestinationOption;
use super::group::GroupOption;
use super::letter_selection::LetterSelection;
use crate::session::Session;
use crate::values::parse_filter;

#[derive(clap::Args)]
pub(super) struct NamedOrSelected {
    /// Queue name.
    pub(super) queue: String,
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
    /// All letters of the queue that the command applies to.
    #[arg(long, conflicts_with_all = ["group", "destination", "filter"])]
    all: bool,
    /// Without ids: show what would be done, and change nothing.
    #[arg(long, conflicts_with = "ids")]
    dry_run: bool,
    /// Without ids: do not prompt for confirmation.
    #[arg(long, conflicts_with = "ids")]
    yes: bool,
    #[command(flatten)]
    run: RunOptions,
}

impl NamedOrSelected {
    /// The selected letters; `None` if letters were named.
    pub(super) async fn scope(&self, session: &Session) -> Result<Option<BulkScope>> {
        if !self.ids.is_empty() {
            return Ok(None);
        }
        let filter = self.destination.narrow(self.filter.as_deref().unwrap_or_default());
        Ok(Some(BulkScope {
            queue: self.queue.clone(),
            filter: self.group.narrow(&filter, &self.queue, session).await?,
            is_all: self.all,
            is_confirmed: self.yes,
            is_dry_run: self.dry_run,
            run: self.run.clone(),
            ..BulkScope::default()
        }))
    }

    pub(super) fn named(&self) -> LetterSelection {
        LetterSelection::of_ids(&self.queue, &self.ids)
    }
}
