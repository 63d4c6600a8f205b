//! `redrive letters bulk`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{
    LettersConfirmRequest, LettersPlanRequest, LettersPlanResponse, StatusBreakdown,
};
use redrive_core::Status;
use serde_json::json;

use crate::cli_error::CliError;
use crate::console::{letters, say};
use crate::exit::Exit;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters bulk retry orders-dead --filter \"category == 'network'\" --reason 'the network is back'
  redrive letters bulk purge orders-dead --status completed --yes --reason 'cleanup'")]
pub(crate) struct Arguments {
    /// Action on the matching letters.
    action: Action,
    #[command(flatten)]
    scope: Scope,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Action {
    Retry,
    Archive,
    Purge,
}

impl Action {
    const fn verb(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Archive => "archive",
            Self::Purge => "purge",
        }
    }

    const fn participle(self) -> &'static str {
        match self {
            Self::Retry => "retried",
            Self::Archive => "archived",
            Self::Purge => "purged",
        }
    }
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
    #[arg(long, value_name = "CEL")]
    filter: Option<String>,
    /// All letters of the queue.
    #[arg(long, conflicts_with_all = ["status", "filter"])]
    all: bool,
    /// Purge archived letters, too.
    #[arg(long)]
    include_archived: bool,
    /// Do not prompt for confirmation. The plan is printed in any case.
    #[arg(long)]
    yes: bool,
    /// Same as --yes.
    #[arg(short, long)]
    force: bool,
}

pub(super) async fn run(arguments: &Arguments, has_reason: bool, session: &Session) -> Result<()> {
    act(arguments.action, &arguments.scope, has_reason, session).await
}

pub(super) async fn act(action: Action, scope: &Scope, has_reason: bool, session: &Session) -> Result<()> {
    if !has_reason {
        let message = format!("a bulk {} needs a reason", action.verb());
        return Err(CliError::new(Exit::Error, message).remedy("give it with --reason TEXT").into());
    }
    let request = LettersPlanRequest {
        queue_name: scope.queue.clone(),
        action: action.verb().to_owned(),
        filter: scope.filter.clone().unwrap_or_default(),
        statuses: scope.status.iter().map(ToString::to_string).collect(),
        all: if scope.all { scope.queue.clone() } else { String::new() },
        include_archived: scope.include_archived,
    };
    let plan = session.call(session.client.plan_letters(&request)).await?;
    say(format_args!("{}", describe(action, &scope.queue, &plan)));
    let (mut changed, mut skipped, mut failed) = (0, 0, 0);
    if plan.letters > 0 {
        let planned = format!("{} {} of '{}'", action.verb(), letters(plan.letters.unsigned_abs()), scope.queue);
        session.confirm(planned, scope.yes || scope.force).await?;
        let confirm = LettersConfirmRequest { queue_name: scope.queue.clone(), token: plan.token.clone() };
        loop {
            let part = session.call_to_end(session.client.confirm_letters(&confirm)).await?;
            (changed, skipped, failed) = (part.changed, part.skipped, part.failed);
            for skip in &part.skips {
                say(format_args!("{}: skipped ({})", skip.id, skip.reason));
            }
            if part.remaining == 0 {
                break;
            }
            say(format_args!("{} so far, {} remaining", letters(changed.unsigned_abs()), part.remaining));
        }
    }
    let data = json!({
        "queue_name": scope.queue, "planned": plan.letters, action.participle(): changed, "skipped": skipped,
        "failed": failed, "more": plan.more,
    });
    let done = letters(changed.unsigned_abs());
    let text = format!("{} {done} of '{}', skipped {skipped}, failed {failed}", action.participle(), scope.queue);
    session.report(&text, &data)?;
    if failed > 0 {
        return Err(CliError::new(Exit::Error, format!("{failed} retries failed")).into());
    }
    Ok(())
}

fn describe(action: Action, queue: &str, plan: &LettersPlanResponse) -> String {
    let StatusBreakdown { pending, retrying, exhausted, completed, archived } =
        plan.status_breakdown.unwrap_or_default();
    let all = [
        (pending, "pending"),
        (retrying, "retrying"),
        (exhausted, "exhausted"),
        (completed, "completed"),
        (archived, "archived"),
    ];
    let counts: Vec<String> =
        all.into_iter().filter(|(count, _)| *count > 0).map(|(count, status)| format!("{count} {status}")).collect();
    let counts = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
    let more = if plan.more { "; more letters match: repeat the command afterwards" } else { "" };
    let ineligible = if plan.ineligible > 0 {
        format!("; {} more match, but are not eligible", plan.ineligible)
    } else {
        String::new()
    };
    format!("{} of '{queue}' to {}{counts}{ineligible}{more}", letters(plan.letters.unsigned_abs()), action.verb())
}
