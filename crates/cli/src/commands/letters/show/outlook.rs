//! What happens next to a letter, and why.

use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{Letter, LettersGetResponse, LettersProcessResponse, RefusedAct};
use redrive_core::{RetryPolicy, Status};

use crate::console::relative;

/// Who retries the letters of a queue.
#[derive(Debug)]
pub(super) enum Processor {
    /// No target is configured for the queue.
    NoTarget,
    Known(LettersProcessResponse),
}

/// What happens next to the letter, and why, as one sentence.
pub(super) fn outlook(shown: &LettersGetResponse, processor: &Processor) -> String {
    let Some(letter) = &shown.letter else { return String::new() };
    if letter.damaged {
        return "nothing: its record is damaged on disk; import it from an export, or purge it".to_owned();
    }
    let queue = &letter.queue_name;
    match letter.status.parse() {
        Ok(Status::Pending) if letter.blocked => {
            format!("waits until these letters are completed: {}", shown.depends_on.join(", "))
        }
        Ok(Status::Pending) if letter.overflow => "waits until the queue has space (max_size)".to_owned(),
        Ok(Status::Pending) => match letter.next_retry_at {
            Some(at) => scheduled(shown, letter, at, processor),
            None if matches!(processor, Processor::NoTarget) && !is_never(letter) => {
                format!("{}; {}", no_target(queue), by_hand(shown, letter, processor))
            }
            None => format!(
                "waits for an operator: the policy {} does not retry it; {}",
                letter.retry_policy,
                by_hand(shown, letter, processor)
            ),
        },
        Ok(Status::Retrying) => match letter.lease_deadline {
            Some(deadline) => format!("is being retried; its claim ends {}", when(deadline, shown.now)),
            None => "is being retried".to_owned(),
        },
        Ok(Status::Exhausted) => {
            let why = match letter.max_retries {
                0 => "it has no retries".to_owned(),
                1 => "its only retry failed".to_owned(),
                most => format!("all {most} retries failed"),
            };
            let resume = match rejected(shown, "resume") {
                Some(_) => String::new(),
                None => format!(", or give it its retries back with: redrive letters resume {queue} {}", letter.id),
            };
            format!("waits for an operator: {why}; {}{resume}", by_hand(shown, letter, processor))
        }
        Ok(Status::Completed) => {
            let what = handed_back(shown).unwrap_or_else(|| "a retry succeeded".to_owned());
            format!("nothing: {what}; it is removed when its retention ends")
        }
        Ok(Status::Archived) => match rejected(shown, "restore") {
            Some(refused) => format!("nothing: it is archived, and cannot be restored: {}", refused.message),
            None => format!("nothing: it is archived; restore it with: redrive letters restore {queue} {}", letter.id),
        },
        Err(_) => String::new(),
    }
}

/// How a person retries the letter now.
fn by_hand(shown: &LettersGetResponse, letter: &Letter, processor: &Processor) -> String {
    let Letter { id, queue_name: queue, .. } = letter;
    if let Some(refused) = rejected(shown, "retry").filter(|refused| refused.reason != "no_way_back") {
        return match refused.reason.as_str() {
            "breaker_open" => format!(
                "the circuit breaker of its destination is open; retry it all the same with: redrive letters retry {queue} {id} \
                 --force"
            ),
            "queue_paused" => {
                let to = &shown.hands_back_to;
                let remedy = match rejected(shown, "resume_queue") {
                    Some(refused) => format!("it must be resumed, which you cannot: {}", refused.message),
                    None => format!("resume it with: redrive queue resume {to}"),
                };
                format!("its queue '{to}' is paused; before it can be handed back, {remedy}")
            }
            _ => format!("it cannot be retried now: {}", refused.message),
        };
    }
    match (processor, shown.hands_back_to.as_str()) {
        (Processor::Known(_), _) => format!("retry it with: redrive letters retry {queue} {id}"),
        (Processor::NoTarget, "") => {
            format!("you cannot hand it back to its origin; a target of '{queue}' in dlq.targets would retry it")
        }
        (Processor::NoTarget, to) => format!("hand it back to '{to}' with: redrive letters retry {queue} {id}"),
    }
}

/// Why the server would reject an act now; `None` if it would accept it.
fn rejected<'s>(shown: &'s LettersGetResponse, action: &str) -> Option<&'s RefusedAct> {
    shown.refused.iter().find(|refused| refused.action == action)
}

/// The hand-back that completed the letter.
fn handed_back(shown: &LettersGetResponse) -> Option<String> {
    let last = shown.attempts.last().filter(|last| !last.handed_back_to.is_empty())?;
    let at = last.attempt.as_ref().and_then(|attempt| attempt.ended_at);
    let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
    Some(format!("handed back to '{}'{at}", last.handed_back_to))
}

fn scheduled(shown: &LettersGetResponse, letter: &Letter, at: Timestamp, processor: &Processor) -> String {
    let now = shown.now;
    let retry = format!("retry {} of {}", letter.retry_count + 1, letter.max_retries);
    let is_due = now.is_some_and(|now| at.time() <= now.time());
    let planned = if is_due { format!("{retry} is due since {at}") } else { format!("{retry} {}", when(at, now)) };
    let policy = format!("policy {} ({})", letter.retry_policy, letter.policy_source);
    match obstacle(shown, letter, processor) {
        Some(obstacle) => format!("{planned}, {policy}; but {obstacle}"),
        None => format!("{planned}, {policy}"),
    }
}

/// Why the processor does not retry the letter at its time.
fn obstacle(shown: &LettersGetResponse, letter: &Letter, processor: &Processor) -> Option<String> {
    let queue = &letter.queue_name;
    let Processor::Known(processor) = processor else {
        return Some(no_target(queue));
    };
    match processor.state.as_str() {
        state @ ("paused" | "stopped") => {
            let action = if state == "paused" { "resume" } else { "start" };
            let remedy = match rejected(shown, "process") {
                Some(refused) => format!("you cannot {action} it: {}", refused.message),
                None => format!("redrive letters process {queue} {action}"),
            };
            Some(format!("the processor is {state}: {remedy}"))
        }
        "draining" => Some("the server is shutting down".to_owned()),
        _ if processor.held.contains(&letter.destination) => {
            Some(format!("the circuit breaker of its destination '{}' is open", letter.destination))
        }
        _ if !processor.trouble.is_empty() => Some(format!("the processor has a problem: {}", processor.trouble)),
        _ => None,
    }
}

fn no_target(queue: &str) -> String {
    format!("nothing retries it: '{queue}' has no entry in dlq.targets of the server")
}

fn is_never(letter: &Letter) -> bool {
    letter.retry_policy == RetryPolicy::Never.as_str()
}

/// A time with its distance, as in `in 57s (2026-11-15T12:01:00Z)`.
pub(super) fn when(time: Timestamp, now: Option<Timestamp>) -> String {
    if now.is_none() { time.to_string() } else { format!("{} ({time})", relative(Some(time), now)) }
}
