//! Plans an act on many letters, confirms it, and follows it.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{LettersPlanRequest, LettersPlanResponse, LettersRun, StatusBreakdown};
use redrive_core::Status;
use serde_json::{Value, json};

use super::action::Action;
use super::follow::{RunReport, follow, report, started};
use super::run_options::RunOptions;
use crate::commands::letters::status_counts::status_counts;
use crate::console::{letters, say};
use crate::session::Session;

/// The letters of an act, and how it is confirmed.
#[derive(Debug, Default)]
pub(in crate::commands::letters) struct BulkScope {
    pub(in crate::commands::letters) queue: String,
    pub(in crate::commands::letters) filter: String,
    pub(in crate::commands::letters) statuses: Vec<Status>,
    pub(in crate::commands::letters) is_all: bool,
    pub(in crate::commands::letters) include_archived: bool,
    pub(in crate::commands::letters) is_confirmed: bool,
    pub(in crate::commands::letters) is_dry_run: bool,
    pub(in crate::commands::letters) run: RunOptions,
}

impl BulkScope {
    fn request(&self, action: Action) -> LettersPlanRequest {
        LettersPlanRequest {
            queue_name: self.queue.clone(),
            action: action.verb().to_owned(),
            filter: self.filter.clone(),
            statuses: self.statuses.iter().map(ToString::to_string).collect(),
            all: if self.is_all { self.queue.clone() } else { String::new() },
            include_archived: self.include_archived,
        }
    }
}

/// Plans the act, asks for confirmation, starts it and follows it. The server carries it out.
pub(in crate::commands::letters) async fn execute(action: Action, scope: &BulkScope, session: &Session) -> Result<()> {
    if !scope.is_dry_run {
        session.require_reason(format!("a {} of many letters needs a reason", action.verb()))?;
    }
    let plan = session.call(session.client.plan_letters(&scope.request(action))).await?;
    let planned = plan.letters.unsigned_abs();
    let description = describe(action, &scope.queue, &plan);
    if scope.is_dry_run {
        return session.report(&format!("{description}; nothing was changed"), &planned_json(&scope.queue, &plan));
    }
    say(description);
    if planned == 0 {
        let nothing =
            LettersRun { action: action.verb().to_owned(), queue_name: scope.queue.clone(), ..LettersRun::default() };
        return report(&nothing, &RunReport::default(), session);
    }
    let question = format!("{} {} of '{}'", action.verb(), letters(planned), scope.queue);
    if !session.is_confirmed(question, scope.is_confirmed).await? {
        return Ok(());
    }
    let confirm = scope.run.confirm(&scope.queue, &plan.token);
    let run = session.call_to_end(session.client.confirm_letters(&confirm)).await?;
    if scope.run.detach { started(&run, session) } else { follow(run, session).await }
}

fn planned_json(queue: &str, plan: &LettersPlanResponse) -> Value {
    let StatusBreakdown { pending, retrying, exhausted, completed, archived } =
        plan.status_breakdown.unwrap_or_default();
    json!({
        "queue_name": queue, "planned": plan.letters, "ineligible": plan.ineligible, "no_way_back": plan.no_way_back,
        "not_letters": plan.not_letters, "more": plan.more,
        "status_breakdown": { "pending": pending, "retrying": retrying, "exhausted": exhausted,
            "completed": completed, "archived": archived },
    })
}

fn describe(action: Action, queue: &str, plan: &LettersPlanResponse) -> String {
    let counts = status_counts(&plan.status_breakdown.unwrap_or_default());
    let counts = if counts.is_empty() { String::new() } else { format!(" ({counts})") };
    let more = if plan.more { "; more letters match: repeat the command afterwards" } else { "" };
    let ineligible = if plan.ineligible > 0 {
        format!("; {} more match, but are not eligible", plan.ineligible)
    } else {
        String::new()
    };
    let not_letters = match plan.not_letters {
        0 => String::new(),
        count => format!("; {count} more items are not letters"),
    };
    let no_way_back = match plan.no_way_back {
        0 => String::new(),
        count => {
            format!("; {count} more cannot be handed back to their origin: give '{queue}' a target in dlq.targets")
        }
    };
    format!(
        "{} of '{queue}' to {}{counts}{ineligible}{no_way_back}{not_letters}{more}",
        letters(plan.letters.unsigned_abs()),
        action.verb()
    )
}
