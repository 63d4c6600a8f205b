//! `redrive letters bulk`.

use anyhow::Result;
use redrive_core::Status;

use super::action::Action;
use super::execute::{BulkScope, execute};
use super::run_options::RunOptions;
use crate::cli_error::CliError;
use crate::commands::letters::destination::DestinationOption;
use crate::commands::letters::group::GroupOption;
use crate::session::Session;
use crate::values::parse_filter;

#[derive(clap::Args)]
#[command(
    after_help = "The letters that match when the command starts are shown and confirmed together. Then the server works on
them, also if the terminal is closed, and goes on after a restart. Ctrl-C ends the command, not the run: list runs with
redrive letters runs, follow one with redrive letters run, and end one with redrive letters cancel.

Examples:
  redrive letters bulk retry orders-dead --filter \"category == 'network'\" --yes --reason 'it is back'
  redrive letters bulk resume orders-dead --destination bank --dry-run
  redrive letters bulk archive orders-dead --group 489d256cf7c4 --dry-run
  redrive letters bulk restore orders-dead --filter \"updated_at > now() - duration('2h')\" --dry-run
  redrive letters bulk purge orders-dead --status completed --yes --reason 'cleanup'"
)]
pub(crate) struct Arguments {
    /// Action on the matching letters.
    pub(in crate::commands::letters) action: Action,
    #[command(flatten)]
    pub(in crate::commands::letters) scope: Scope,
}

/// The letters of a bulk action.
#[derive(clap::Args)]
pub(crate) struct Scope {
    /// Queue name.
    queue: String,
    /// Only letters with these statuses [default: every status that the action accepts].
    #[arg(short, long, value_name = "STATUS", value_delimiter = ',')]
    status: Vec<Status>,
    /// Only letters that match this CEL condition.
    #[arg(long, value_name = "CEL", default_value = "", hide_default_value = true, value_parser = parse_filter)]
    filter: String,
    #[command(flatten)]
    group: GroupOption,
    #[command(flatten)]
    destination: DestinationOption,
    /// All letters of the queue.
    #[arg(long, conflicts_with_all = ["status", "filter", "group", "destination"])]
    all: bool,
    /// Purge archived letters, too.
    #[arg(long)]
    include_archived: bool,
    /// Show what would be done, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Do not prompt for confirmation. The plan is printed in any case.
    #[arg(long)]
    yes: bool,
    /// Same as --yes.
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    run: RunOptions,
}

pub(in crate::commands::letters) async fn act(action: Action, scope: &Scope, session: &Session) -> Result<()> {
    let is_selected = scope.all || !scope.status.is_empty() || !scope.filter.trim().is_empty();
    if !is_selected && scope.group.group.is_none() && scope.destination.destination.is_none() {
        let error = CliError::usage(format!("a bulk {} needs a selection of letters", action.verb()));
        return Err(error
            .remedy("select some with --filter, --status, --group or --destination, or all of the queue with --all")
            .into());
    }
    let scope = BulkScope {
        queue: scope.queue.clone(),
        filter: scope.group.narrow(&scope.destination.narrow(&scope.filter), &scope.queue, session).await?,
        statuses: scope.status.clone(),
        is_all: scope.all,
        include_archived: scope.include_archived,
        is_confirmed: scope.yes || scope.force,
        is_dry_run: scope.dry_run,
        run: scope.run.clone(),
    };
    execute(action, &scope, session).await
}
