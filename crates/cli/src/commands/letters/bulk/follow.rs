//! Follows a run of the server, and reports its result.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{FailedRetry, LettersRun, LettersRunRequest, RunCause, SkippedLetter};
use serde_json::{Value, json};

use super::action::Action;
use crate::cli_error::CliError;
use crate::console::{Format, Progress, letters, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

/// How long one request waits for the end of the run; then the progress is shown.
const WAIT_SECONDS: i32 = 1;

/// The letters that were not changed as planned.
#[derive(Debug, Default)]
pub(in crate::commands::letters) struct RunReport {
    skips: Vec<SkippedLetter>,
    failures: Vec<FailedRetry>,
}

/// Shows the progress of a run until it has ended, then its result. Ctrl-C ends the command, not the run.
pub(in crate::commands::letters) async fn follow(mut run: LettersRun, session: &Session) -> Result<()> {
    let progress = Progress::new("letters", Some(run.letters.unsigned_abs()));
    let mut shown_cause = String::new();
    while is_active(&run) {
        if session.interrupt.is_raised() {
            drop(progress);
            report(&run, &RunReport::default(), session)?;
            let remedy = format!("follow it with: {}; end it with: {}", command("run", &run), command("cancel", &run));
            let message = format!("interrupted; the server goes on with {}", letters(run.remaining.unsigned_abs()));
            return Err(Interrupt::error(message).remedy(remedy).into());
        }
        if run.cause != shown_cause {
            if !run.cause.is_empty() {
                progress.say(format_args!("waiting: {}", run.cause));
            }
            shown_cause.clone_from(&run.cause);
        }
        let request = LettersRunRequest { wait_seconds: WAIT_SECONDS, ..request(&run) };
        let Some(answer) = session.interrupt.or(session.call_to_end(session.client.letter_run(&request))).await else {
            continue;
        };
        run = answer?.run.unwrap_or(run);
        progress.reach(run.changed.unsigned_abs() + run.skipped.unsigned_abs());
    }
    drop(progress);
    let details = match session.format {
        Format::Json => details(&run, session).await?,
        Format::Table => RunReport::default(),
    };
    report(&run, &details, session)?;
    verdict(&run)
}

/// Reports a run that is not followed.
pub(super) fn started(run: &LettersRun, session: &Session) -> Result<()> {
    let text = format!(
        "run {} works on {}; follow it with: {}",
        run.id,
        letters(run.letters.unsigned_abs()),
        command("run", run)
    );
    session.report(&text, &json_of(run, &RunReport::default()))
}

/// All skipped letters and failed retries of a run.
pub(super) async fn details(run: &LettersRun, session: &Session) -> Result<RunReport> {
    let mut report = RunReport::default();
    let mut after = 0;
    loop {
        let request = LettersRunRequest { details: true, after, ..request(run) };
        let page = session.call(session.client.letter_run(&request)).await?;
        report.skips.extend(page.skips);
        report.failures.extend(page.failures);
        match page.next {
            0 => return Ok(report),
            next => after = next,
        }
    }
}

/// Prints what a run has done: the numbers, then a line for each cause of skipped letters and failed retries.
pub(in crate::commands::letters) fn report(run: &LettersRun, details: &RunReport, session: &Session) -> Result<()> {
    let LettersRun { queue_name, changed, skipped, failed, .. } = run;
    let done = Action::participle_of(&run.action);
    let changed = letters(changed.unsigned_abs());
    let left = match run.remaining {
        0 => String::new(),
        left if run.cause.is_empty() => format!("; {}, {left} left", run.state),
        left => format!("; {}: {}, {left} left", run.state, run.cause),
    };
    let text = format!("{done} {changed} of '{queue_name}', skipped {skipped}, failed {failed}{left}");
    session.report(&text, &json_of(run, details))?;
    if session.format == Format::Table {
        run.causes.iter().for_each(|cause| say(line_of(cause)));
    }
    Ok(())
}

/// The error of a run that did not do all that was planned.
fn verdict(run: &LettersRun) -> Result<()> {
    if run.remaining > 0 {
        let left = letters(run.remaining.unsigned_abs());
        let message = match run.state.as_str() {
            "cancelled" => format!("{}; {left} were not tried", run.cause),
            "gave_up" => format!("gave up after waiting; {left} were not tried: {}", run.cause),
            _ => format!("stopped; {left} were not tried: {}", run.cause),
        };
        let error = CliError::new(Exit::Error, message);
        let is_over = run.state == "cancelled";
        let next = format!("{} --reason TEXT", command("continue", run));
        let remedy = match run.state.as_str() {
            // The caller may be the user who lacks something now.
            "stopped" => format!("when that is granted again, or as another user, continue with: {next}"),
            _ => format!("continue with: {next}"),
        };
        return Err(if is_over { error } else { error.remedy(remedy) }.into());
    }
    if run.failed > 0 {
        let message = format!("{} of {} retries failed", run.failed, run.changed);
        let remedy = format!("list them with: {} --output json", command("run", run));
        return Err(CliError::new(Exit::Error, message).remedy(remedy).into());
    }
    Ok(())
}

pub(super) fn is_active(run: &LettersRun) -> bool {
    matches!(run.state.as_str(), "running" | "waiting")
}

fn request(run: &LettersRun) -> LettersRunRequest {
    LettersRunRequest { queue_name: run.queue_name.clone(), id: run.id.clone(), ..LettersRunRequest::default() }
}

fn command(verb: &str, run: &LettersRun) -> String {
    format!("redrive letters {verb} {} {}", run.queue_name, run.id)
}

fn line_of(cause: &RunCause) -> String {
    let RunCause { reason, failed, letters: count } = cause;
    if *failed { format!("  {count} failed: {reason}") } else { format!("  {count} skipped: {}", why(reason)) }
}

pub(super) fn json_of(run: &LettersRun, details: &RunReport) -> Value {
    let skip = |skip: &SkippedLetter| json!({ "id": skip.id, "reason": skip.reason });
    let failure = |failure: &FailedRetry| {
        let FailedRetry { id, error, category, status } = failure;
        json!({ "id": id, "error": error, "category": category, "status": status })
    };
    let cause = |cause: &RunCause| {
        let kind = if cause.failed { "failed" } else { "skipped" };
        json!({ "kind": kind, "reason": cause.reason, "letters": cause.letters })
    };
    json!({
        "id": run.id, "queue_name": run.queue_name, "action": run.action, "state": run.state, "cause": run.cause,
        "planned": run.letters, Action::participle_of(&run.action): run.changed, "skipped": run.skipped,
        "failed": run.failed, "remaining": run.remaining,
        "causes": run.causes.iter().map(cause).collect::<Vec<_>>(),
        "skips": details.skips.iter().map(skip).collect::<Vec<_>>(),
        "failures": details.failures.iter().map(failure).collect::<Vec<_>>(),
    })
}

fn why(reason: &str) -> &str {
    match reason {
        "changed" => "changed since the plan",
        "gone" => "removed since the plan",
        "conflict" => "claimed by another holder",
        "damaged" => "record damaged on disk",
        "held" => "a live letter has the source id or the message",
        "no_way_back" => "cannot be handed back to the origin",
        "duplicate" => "the queue has an item with the message id",
        "quarantined" => "held",
        "no_retries" => "max_retries is 0; set it with letters edit --max-retries",
        other => other,
    }
}
