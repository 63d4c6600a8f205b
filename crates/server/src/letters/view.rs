//! Converts letters to messages of the API.

use redrive_core::{Status, Time};
use redrive_model::{Attempt, Content, ItemInfo, ItemState};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1;
use redrive_run::Retried;
use serde_json::{Map, Value};

use crate::wire::{big_count, count};

/// Removes the time of the next retry if the queue has no target: no retry is made then.
pub(super) fn planned(mut info: ItemInfo, has_target: bool) -> ItemInfo {
    if let Some(letter) = info.letter.as_mut().filter(|_| !has_target) {
        letter.next_retry_at = None;
    }
    info
}

pub(super) fn letter(queue: &str, info: &ItemInfo) -> v1::Letter {
    let Some(letter) = &info.letter else { return v1::Letter::default() };
    let when = |time: Option<Time>| time.map(Timestamp::from);
    v1::Letter {
        id: letter.id.to_string(),
        queue_name: queue.to_owned(),
        source_id: info.source_id.as_deref().unwrap_or_default().to_owned(),
        generation: count(letter.generation),
        revision: big_count(letter.revision),
        status: letter.status.to_string(),
        category: letter.category.to_string(),
        retry_policy: letter.policy.to_string(),
        policy_source: letter.policy_source.to_string(),
        fingerprint: letter.fingerprint.to_string(),
        retry_count: count(letter.retries),
        max_retries: count(letter.max_retries),
        total_attempts: count(letter.total_attempts),
        priority: info.priority.to_string(),
        destination: letter.destination.to_string(),
        next_retry_at: when(letter.next_retry_at),
        first_failed_at: when(Some(letter.first_failed_at)),
        last_failed_at: when(Some(letter.last_failed_at)),
        ended_at: when(letter.ended_at),
        updated_at: when(Some(letter.updated_at)),
        lease_deadline: when(info.state.lease_deadline()),
        expire_deadline: when(info.expires_at),
        outcome_unknown: letter.is_outcome_unknown,
        overflow: letter.is_overflow,
        blocked: letter.is_blocked,
        damaged: info.state == ItemState::Damaged,
        before: letter.before.map(|before| before.status.to_string()).unwrap_or_default(),
        task_id: info.task_id(),
        failed_at: when(Some(letter.first_failed_at)),
        error_category: letter.category.to_string(),
        exhausted_at: when(letter.since(Status::Exhausted)),
        completed_at: when(letter.since(Status::Completed)),
        archived_at: when(letter.since(Status::Archived)),
        archived_from: letter.archived_from().map(|status| status.to_string()).unwrap_or_default(),
        last_error: String::new(),
    }
}

/// The payload, if it is a JSON object and is revealed; otherwise empty.
pub(super) fn task(content: &Content, is_revealed: bool) -> String {
    let payload = &*content.payload;
    let is_object = is_revealed && serde_json::from_slice::<Map<String, Value>>(payload).is_ok();
    if is_object { String::from_utf8_lossy(payload).into_owned() } else { String::new() }
}

/// A content. Its confidential parts (key, headers and payload) are empty unless it is revealed.
pub(super) fn content(content: &Content, is_revealed: bool) -> v1::Content {
    v1::Content {
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        reference: content.reference.clone(),
        key: content.key.clone().filter(|_| is_revealed),
        headers: content.headers.iter().filter(|_| is_revealed).map(v1::Header::from).collect(),
        payload: if is_revealed { content.payload.clone() } else { bytes::Bytes::new() },
        payload_bytes: big_count(content.payload.len()),
    }
}

pub(super) fn death(death: &redrive_model::DeathRecord) -> v1::Death {
    v1::Death {
        queue_name: death.queue.to_string(),
        partition: count(death.partition),
        id: death.id.to_string(),
        reason: death.reason.to_string(),
        attempts: count(death.attempts),
        created_at: Some(death.created_at.into()),
        expire_deadline: (death.expires_at < Time::MAX).then(|| death.expires_at.into()),
    }
}

pub(super) fn attempt(attempt: &Attempt) -> v1::LetterAttempt {
    let actor = attempt.actor.as_deref().unwrap_or_default().to_owned();
    let handed_back_to = attempt.handed_back_to.as_ref().map(ToString::to_string).unwrap_or_default();
    v1::LetterAttempt {
        attempt: Some(v1::Attempt::from(attempt)),
        actor,
        handed_back_to,
        ..v1::LetterAttempt::default()
    }
}

/// The numbers of letters by status.
pub(super) fn breakdown(of: impl Fn(Status) -> u64) -> v1::StatusBreakdown {
    let of = |status| big_count(of(status));
    v1::StatusBreakdown {
        pending: of(Status::Pending),
        retrying: of(Status::Retrying),
        exhausted: of(Status::Exhausted),
        completed: of(Status::Completed),
        archived: of(Status::Archived),
    }
}

/// The answer to a retry through a target or a route.
pub(super) fn retried(queue: &str, retried: &Retried) -> v1::LettersRetryResponse {
    let attempt = retried.attempt.as_ref();
    let handed_back_to = attempt.and_then(|attempt| attempt.handed_back_to.as_deref());
    let message = match (retried.is_success(), handed_back_to) {
        (true, Some(to)) => format!("Task handed back to '{to}'"),
        (true, None) => "Task successfully retried".to_owned(),
        (false, _) => "Task retry failed".to_owned(),
    };
    v1::LettersRetryResponse {
        success: retried.is_success(),
        message,
        letter: Some(letter(queue, &retried.letter.info)),
        attempt: attempt.map(self::attempt),
    }
}
