//! Conversion of settlements between the model and the API.

use redrive_core::{QueueName, Span, Time};
use redrive_model::{DeadCause, DeliveryNotes, EndReason, Rejection, RetryAt, SettleAction, Settled, Settlement};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::settle_item::Verb as Sent;
use redrive_proto::redrive::v1::{
    Ack, Attempt, Condemn, DeadLetter, Defer, ExtendedItem, Keep, Lose, Refused, Release, Retry, SettleItem,
    SettledItem,
};

use crate::ServerError;

pub(crate) fn settle_item(settlement: &Settlement) -> SettleItem {
    let (verb, attempt) = match &settlement.action {
        SettleAction::Complete { attempt } => (Sent::Ack(Ack {}), attempt.as_deref()),
        SettleAction::Retry { at, attempt, charged } => (Sent::Retry(retry(*at, *charged)), attempt.as_deref()),
        SettleAction::Dead { attempt, why } => {
            (Sent::DeadLetter(DeadLetter { why: give_up(*why).to_owned() }), attempt.as_deref())
        }
        SettleAction::Release => (Sent::Release(Release {}), None),
        // In the API, the epoch means unset; any past time has the same effect.
        SettleAction::Defer { until } => (Sent::Defer(Defer { until: Some((*until).max(Time::EPOCH).into()) }), None),
        SettleAction::Lost => (Sent::Lose(Lose {}), None),
        SettleAction::RedeliverForHandOver { at, attempt } => {
            (Sent::Condemn(Condemn { at: Some((*at).max(Time::EPOCH).into()) }), attempt.as_deref())
        }
        SettleAction::Note { lease, notes } => (Sent::Keep(keep(*lease, notes)), None),
    };
    SettleItem { id: settlement.id.to_string(), attempt: attempt.map(Attempt::from), fault: None, verb: Some(verb) }
}

fn retry(at: RetryAt, charged: bool) -> Retry {
    let retry = Retry { is_free: !charged, ..Retry::default() };
    match at {
        RetryAt::Decided(at) => Retry { at: Some(at.max(Time::EPOCH).into()), is_decided: true, ..retry },
        RetryAt::Undecided(at) => Retry { at: at.map(Timestamp::from), ..retry },
        RetryAt::After(delay) => Retry { delay: delay.to_string(), ..retry },
    }
}

fn keep(lease: Span, notes: &DeliveryNotes) -> Keep {
    let DeliveryNotes { error, verdict, parts } = notes.clone();
    Keep { lease_timeout: lease.to_string(), error, verdict, parts }
}

const fn give_up(why: DeadCause) -> &'static str {
    match why {
        DeadCause::Exhausted => "exhausted",
        DeadCause::Permanent => "permanent",
        DeadCause::Spent => "spent",
    }
}

/// The result of one item.
pub(crate) fn settled(answer: SettledItem) -> Option<Result<Settled, Rejection>> {
    if let Some(refused) = answer.refused {
        return rejection(refused).map(Err);
    }
    let at = answer.at.and_then(Timestamp::time);
    Some(Ok(match answer.outcome.as_str() {
        "completed" => Settled::Completed,
        "requeued" => Settled::Requeued { at },
        "kept" => Settled::Kept { deadline: at? },
        "exhausted" => Settled::Exhausted,
        "moved" => Settled::Moved { to: QueueName::new(&answer.moved_to).ok()? },
        "stranded" => Settled::Stranded,
        "expired" => Settled::Gone(EndReason::Expired),
        "dropped" => Settled::Gone(EndReason::Dropped),
        "duplicate" => Settled::Gone(EndReason::Duplicate),
        _ => return None,
    }))
}

/// The new deadline of one item.
pub(crate) fn extended(answer: ExtendedItem) -> Option<Result<Time, Rejection>> {
    match answer.refused {
        Some(refused) => rejection(refused).map(Err),
        None => answer.lease_deadline.and_then(Timestamp::time).map(Ok),
    }
}

/// The rejection of the server's store. If its reason is unknown, `is_stale` still counts.
fn rejection(refused: Refused) -> Option<Rejection> {
    let stale = refused.is_stale.then(|| refused.id.parse().ok().map(Rejection::NoSuchItem));
    match (ServerError::from(refused).rejection(), stale) {
        (Rejection::Elsewhere(_), Some(stale)) => stale,
        (rejection, _) => Some(rejection),
    }
}
