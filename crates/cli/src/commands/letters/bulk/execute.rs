//! Plans an act on many letters, confirms it, and carries it out part by part.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{
    FailedRetry, LettersConfirmRequest, LettersPlanRequest, LettersPlanResponse, SkippedLetter, StatusBreakdown,
};
use redrive_core::Status;
use serde_json::{Value, json};

use super::action::Action;
use crate::cli_error::CliError;
use crate::commands::letters::status_counts::status_counts;
use crate::console::{Format, Progress, excerpt, letters, or_dash, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

/// The characters of an error on stderr; `--output json` prints the whole error.
const ERROR_CHARS_MAX: usize = 200;

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

/// What was done so far.
#[derive(Debug, Default)]
struct BulkOutcome {
    changed: u64,
    skipped: u64,
    failed: u64,
    remaining: u64,
    skips: Vec<SkippedLetter>,
    failures: Vec<FailedRetry>,
}

/// Plans the act, asks for confirmation and carries it out. Ctrl-C stops it between two requests.
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
    let mut outcome = BulkOutcome { remaining: planned, ..BulkOutcome::default() };
    if planned > 0 {
        let question = format!("{} {} of '{}'", action.verb(), letters(planned), scope.queue);
        if !session.is_confirmed(question, scope.is_confirmed).await? {
            return Ok(());
        }
        carry_out(&plan, action, scope, &mut outcome, session).await?;
    }
    report(action, &scope.queue, &plan, &outcome, session)?;
    if outcome.remaining > 0 {
        let message = format!("interrupted; {} of the plan are unchanged", letters(outcome.remaining));
        return Err(Interrupt::error(message).into());
    }
    if outcome.failed > 0 {
        let message = format!("{} of {} retries failed", outcome.failed, outcome.changed);
        let remedy = format!("show the attempts with: redrive letters show {} ID", scope.queue);
        return Err(CliError::new(Exit::Error, message).remedy(remedy).into());
    }
    Ok(())
}

/// Confirms the parts of the plan until nothing remains, or until an interrupt.
async fn carry_out(
    plan: &LettersPlanResponse,
    action: Action,
    scope: &BulkScope,
    outcome: &mut BulkOutcome,
    session: &Session,
) -> Result<()> {
    let confirm = LettersConfirmRequest { queue_name: scope.queue.clone(), token: plan.token.clone() };
    let progress = Progress::new("letters", Some(plan.letters.unsigned_abs()));
    while outcome.remaining > 0 && !session.interrupt.is_raised() {
        let part = match session.call_to_end(session.client.confirm_letters(&confirm)).await {
            Ok(part) => part,
            Err(error) => {
                drop(progress);
                say(format_args!("{} {} before the error", action.participle(), letters(outcome.changed)));
                return Err(error);
            }
        };
        if session.format == Format::Table {
            part.skips
                .iter()
                .for_each(|skip| progress.say(format_args!("{}: skipped: {}", skip.id, why(&skip.reason))));
            part.failures.iter().for_each(|failure| progress.say(failed(failure)));
        }
        outcome.changed = part.changed.unsigned_abs();
        outcome.skipped = part.skipped.unsigned_abs();
        outcome.failed = part.failed.unsigned_abs();
        outcome.remaining = part.remaining.unsigned_abs();
        outcome.skips.extend(part.skips);
        outcome.failures.extend(part.failures);
        progress.reach(outcome.changed + outcome.skipped);
    }
    Ok(())
}

fn report(
    action: Action,
    queue: &str,
    plan: &LettersPlanResponse,
    outcome: &BulkOutcome,
    session: &Session,
) -> Result<()> {
    let BulkOutcome { changed, skipped, failed, remaining, skips, failures } = outcome;
    let skips: Vec<Value> = skips.iter().map(|skip| json!({ "id": skip.id, "reason": skip.reason })).collect();
    let failure = |failure: &FailedRetry| {
        let FailedRetry { id, error, category, status } = failure;
        json!({ "id": id, "error": error, "category": category, "status": status })
    };
    let failures: Vec<Value> = failures.iter().map(failure).collect();
    let data = json!({
        "queue_name": queue, "planned": plan.letters, action.participle(): changed, "skipped": skipped,
        "failed": failed, "remaining": remaining, "more": plan.more, "skips": skips, "failures": failures,
    });
    let text =
        format!("{} {} of '{queue}', skipped {skipped}, failed {failed}", action.participle(), letters(*changed));
    session.report(&text, &data)
}

/// A failed retry on one line: the letter, its error, and what became of it.
fn failed(failure: &FailedRetry) -> String {
    let FailedRetry { id, error, category, status } = failure;
    let error = if error.is_empty() { "released without an attempt" } else { error };
    format!("{id}: failed: {} ({}); status {status}", excerpt(error, ERROR_CHARS_MAX), or_dash(category))
}

fn why(reason: &str) -> &str {
    match reason {
        "changed" => "it has changed since the plan",
        "gone" => "it was removed",
        "conflict" => "another holder has claimed it",
        "breaker_open" => "the circuit breaker of its destination is open",
        "damaged" => "its record is damaged on disk",
        "held" => "a live letter has its source id or its message",
        "no_way_back" => "it cannot be handed back to its origin",
        "queue_paused" => "its queue is paused",
        "queue_full" => "its queue is full",
        "duplicate" => "its queue has an item with its message id",
        "quarantined" => "it is held",
        "no_retries" => "its max_retries is 0; set it with letters edit --max-retries",
        other => other,
    }
}

fn planned_json(queue: &str, plan: &LettersPlanResponse) -> Value {
    let StatusBreakdown { pending, retrying, exhausted, completed, archived } =
        plan.status_breakdown.unwrap_or_default();
    json!({
        "queue_name": queue, "planned": plan.letters, "ineligible": plan.ineligible, "no_way_back": plan.no_way_back,
        "more": plan.more,
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
    let no_way_back = match plan.no_way_back {
        0 => String::new(),
        count => {
            format!("; {count} more cannot be handed back to their origin: give '{queue}' a target in dlq.targets")
        }
    };
    format!(
        "{} of '{queue}' to {}{counts}{ineligible}{no_way_back}{more}",
        letters(plan.letters.unsigned_abs()),
        action.verb()
    )
}
