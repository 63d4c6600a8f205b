//! What became of items, between a store's words and the wire's.

use redrive_core::Time;
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::settle_item::Verb as Sent;
use redrive_proto::redrive::v1::{
    Ack, Attempt, Condemn, DeadLetter, Defer, QueueSettleResponse, Release, Retry, SettleItem,
};
use redrive_queue::{GiveUp, Refusal, Settled, Settlement, Verb};

use super::item::item_id;

pub(super) fn settle_item(settlement: &Settlement) -> SettleItem {
    let (verb, attempt) = match &settlement.verb {
        Verb::Complete { attempt } => (Sent::Ack(Ack {}), attempt.as_deref()),
        Verb::Retry { at, attempt, charged } => {
            (Sent::Retry(Retry { at: at.map(Timestamp::from), is_free: !charged }), attempt.as_deref())
        }
        Verb::Dead { attempt, why } => {
            (Sent::DeadLetter(DeadLetter { why: give_up(*why).to_owned() }), attempt.as_deref())
        }
        Verb::Release => (Sent::Release(Release {}), None),
        // The first instant of the calendar means none on the wire, and any that has passed is as good.
        Verb::Defer { until } => (Sent::Defer(Defer { until: Some((*until).max(Time::EPOCH).into()) }), None),
        Verb::Condemn { attempt } => (Sent::Condemn(Condemn {}), attempt.as_deref()),
    };
    SettleItem { id: settlement.id.to_string(), attempt: attempt.map(record), verb: Some(verb) }
}

const fn give_up(why: GiveUp) -> &'static str {
    match why {
        GiveUp::Exhausted => "exhausted",
        GiveUp::Permanent => "permanent",
        GiveUp::Spent => "spent",
    }
}

/// Who asked for it is known to the server by the key.
fn record(attempt: &redrive_queue::Attempt) -> Attempt {
    Attempt {
        trigger: attempt.trigger.to_string(),
        outcome: attempt.outcome.to_string(),
        started_at: attempt.started_at.map(Timestamp::from),
        ended_at: attempt.ended_at.map(Timestamp::from),
        cause: attempt.cause.map(|cause| cause.to_string()).unwrap_or_default(),
        error_type: attempt.error_type.clone().unwrap_or_default(),
        error: attempt.error.clone(),
        category: attempt.category.map(|category| category.to_string()).unwrap_or_default(),
        rule: attempt.rule.clone().unwrap_or_default(),
        fingerprint: attempt.fingerprint.map(|fingerprint| fingerprint.to_string()).unwrap_or_default(),
        failed_parts: attempt.failed_parts.clone(),
        worker: attempt.worker.as_deref().unwrap_or_default().to_owned(),
    }
}

pub(super) fn settled(answer: QueueSettleResponse) -> Option<Settled> {
    let refused = match answer.refused {
        None => None,
        // Which of the two ways to be stale it was makes no difference to whoever held it.
        Some(refused) if refused.is_stale => Some(Refusal::NoSuchItem(item_id(&refused.id)?)),
        Some(refused) => Some(Refusal::Elsewhere(refused.message.into())),
    };
    Some(Settled { done: usize::try_from(answer.settled).ok()?, refused })
}
