//! Letters between a store's words and the wire's.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{ItemId, LetterId, QueueName, Status, Time, Trigger};
use redrive_model::{
    Attempt, CaptureContext, ClaimHolder, Content, DeathRecord, FaultGroup, FullLetter, Header, ItemInfo, ItemState,
    LetterInfo, Origin, PriorState,
};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1;

use super::item::{count, item_id};

fn time(given: Option<Timestamp>) -> Option<Time> {
    given.and_then(Timestamp::time)
}

fn text(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// One of a closed set; `None` for what is empty.
fn maybe<T: std::str::FromStr>(text: &str) -> Option<Option<T>> {
    if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
}

/// A letter as it is listed. Of the item that it is, the wire tells little: its place in the queue is not known, and its
/// id of today is that of the letter.
pub(super) fn letter_info(letter: &v1::Letter) -> Option<ItemInfo> {
    let id = LetterId::new(letter.id.parse().ok()?);
    let status: Status = letter.status.parse().ok()?;
    let first_failed_at = time(letter.first_failed_at)?;
    let next_retry_at = time(letter.next_retry_at);
    let holder = ClaimHolder::default();
    let before = maybe(&letter.before)?.map(|status| PriorState { status, due: None, since: None, holder });
    let info = LetterInfo {
        id,
        generation: count(letter.generation)?,
        revision: u64::try_from(letter.revision).ok()?,
        status,
        category: letter.category.parse().ok()?,
        policy: letter.retry_policy.parse().ok()?,
        policy_source: letter.policy_source.parse().ok()?,
        fingerprint: letter.fingerprint.parse().ok()?,
        retries: count(letter.retry_count)?,
        max_retries: count(letter.max_retries)?,
        total_attempts: count(letter.total_attempts)?,
        next_retry_at,
        first_failed_at,
        last_failed_at: time(letter.last_failed_at)?,
        ended_at: time(letter.ended_at),
        is_outcome_unknown: letter.outcome_unknown,
        is_overflow: letter.overflow,
        before,
        trigger: Trigger::Automatic,
        destination: Arc::from(letter.destination.as_str()),
        is_blocked: letter.blocked,
    };
    Some(ItemInfo {
        id: ItemId::new(id.ksuid()),
        first_id: ItemId::new(id.ksuid()),
        partition: 0,
        source_id: text(letter.source_id.clone()).map(String::into_boxed_str),
        state: if letter.damaged {
            ItemState::Damaged
        } else {
            state(status, time(letter.lease_deadline), next_retry_at)
        },
        priority: letter.priority.parse().ok()?,
        attempts: 0,
        deliveries: 0,
        max_attempts: 0,
        created_at: first_failed_at,
        expires_at: time(letter.expire_deadline),
        imported_lease_deadline: None,
        is_hand_over_only: false,
        letter: Some(Box::new(info)),
        is_edited: false,
    })
}

const fn state(status: Status, lease_deadline: Option<Time>, next_retry_at: Option<Time>) -> ItemState {
    match (status, lease_deadline, next_retry_at) {
        (Status::Completed | Status::Archived, ..) => ItemState::Finished,
        (_, Some(deadline), _) => ItemState::Leased { deadline },
        (_, None, Some(at)) => ItemState::Due { at },
        _ => ItemState::Ready,
    }
}

/// A letter that was revealed.
pub(super) fn letter_record(answer: v1::LettersGetResponse) -> Option<FullLetter> {
    let original = answer.original.map(|original| Arc::new(content(original)));
    let info = ItemInfo { is_edited: original.is_some(), ..letter_info(&answer.letter?)? };
    let death = match answer.death {
        Some(sent) => Some(death(&sent)?),
        None => None,
    };
    let depends_on = answer.depends_on.iter().map(|id| id.parse().ok().map(LetterId::new)).collect::<Option<_>>()?;
    let context = CaptureContext {
        origin: origin(answer.origin.unwrap_or_default()),
        death,
        parts: answer.parts,
        metadata: answer.metadata.into_iter().collect(),
        depends_on,
        reply_to: text(answer.reply_to),
        trace_id: text(answer.trace_id),
        request_id: text(answer.request_id),
        submitted_by: text(answer.submitted_by),
        // It stands among the notes.
        note: None,
    };
    Some(FullLetter {
        info,
        content: Arc::new(content(answer.content?)),
        context: Some(context),
        attempts: answer.attempts.into_iter().map(attempt).collect::<Option<_>>()?,
        original,
        notes: answer.notes.into_iter().map(|note| Bytes::from(note.text)).collect(),
        parts: None,
    })
}

fn content(sent: v1::Content) -> Content {
    let header = |header: v1::Header| Header { name: header.name, value: header.value };
    Content {
        kind: sent.kind,
        encoding: sent.encoding,
        reference: sent.reference,
        key: sent.key,
        headers: sent.headers.into_iter().map(header).collect(),
        payload: sent.payload,
    }
}

fn origin(sent: v1::Origin) -> Origin {
    Origin {
        transport: sent.transport,
        name: sent.name,
        consumer: text(sent.consumer),
        partition: sent.partition,
        offset: sent.offset,
        timestamp: time(sent.timestamp),
        message_id: text(sent.message_id),
    }
}

fn death(sent: &v1::Death) -> Option<DeathRecord> {
    Some(DeathRecord {
        queue: QueueName::new(&sent.queue_name).ok()?,
        partition: count(sent.partition)?,
        id: item_id(&sent.id)?,
        reason: sent.reason.parse().ok()?,
        attempts: count(sent.attempts)?,
        created_at: time(sent.created_at)?,
        expires_at: time(sent.expire_deadline).unwrap_or(Time::MAX),
    })
}

fn attempt(sent: v1::LetterAttempt) -> Option<Attempt> {
    let v1::LetterAttempt { attempt, actor } = sent;
    let sent = attempt?;
    Some(Attempt {
        trigger: sent.trigger.parse().ok()?,
        outcome: sent.outcome.parse().ok()?,
        started_at: time(sent.started_at),
        ended_at: time(sent.ended_at),
        cause: maybe(&sent.cause)?,
        error_type: text(sent.error_type),
        error: sent.error,
        category: maybe(&sent.category)?,
        rule: text(sent.rule),
        fingerprint: maybe(&sent.fingerprint)?,
        failed_parts: sent.failed_parts,
        worker: text(sent.worker).map(Arc::from),
        actor: text(actor).map(Arc::from),
    })
}

pub(super) fn fault_group(group: &v1::LetterGroup) -> Option<FaultGroup> {
    Some(FaultGroup {
        fingerprint: group.fingerprint.parse().ok()?,
        count: u64::try_from(group.count).ok()?,
        first_seen: time(group.first_seen)?,
        last_seen: time(group.last_seen)?,
    })
}
