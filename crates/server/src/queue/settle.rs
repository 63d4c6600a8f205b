//! Say what became of claimed items: every verb of a source, with its record.

use std::sync::Arc;

use redrive_core::{Outcome, Trigger};
use redrive_proto::redrive::v1::settle_item::Verb as Sent;
use redrive_proto::redrive::v1::{Attempt, QueueSettleRequest, QueueSettleResponse, Refused, SettleItem};
use redrive_queue::{GiveUp, Refusal, Settlement, Verb};

use super::complete::check_count;
use super::item_id;
use super::timeout::USUAL;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::settings::Settings;
use crate::traffic::Kind;
use crate::wire::{count, one_of, time};

#[derive(Debug)]
pub(crate) struct Settle;

impl Endpoint for Settle {
    type Request = QueueSettleRequest;
    type Answer = QueueSettleResponse;

    const PATH: &'static str = "/v1/queue.settle";

    /// Records of attempts carry errors.
    fn body_max(settings: &Settings) -> usize {
        settings.produce_body_max
    }

    async fn call(desk: &Desk, request: QueueSettleRequest) -> Result<QueueSettleResponse, Fault> {
        let queue = desk.queue(&request.queue_name, Permission::QueueRetry).await?;
        let checked = check(&request, desk);
        let items = desk.checked(&queue, request.partition, checked).await?;
        let _passage = desk.app.traffic.enter(&queue, Kind::Complete);
        let partition = request.partition.and_then(|partition| u32::try_from(partition).ok());
        let settle = redrive_queue::Settle { queue: queue.clone(), partition, items };
        let settled = desk.within(&queue, USUAL, desk.store().settle(settle)).await?;
        let refused = settled.refused.map(|refusal| Refused {
            id: request.items.get(settled.done).map(|item| item.id.clone()).unwrap_or_default(),
            is_stale: matches!(refusal, Refusal::NoSuchItem(_) | Refusal::NotLeased { .. }),
            message: refusal.to_string(),
        });
        Ok(QueueSettleResponse { settled: count(settled.done), refused })
    }
}

fn check(request: &QueueSettleRequest, desk: &Desk) -> Result<Vec<Settlement>, Fault> {
    if request.items.is_empty() {
        return Err(Fault::bad("items is invalid; list of items cannot be empty"));
    }
    check_count("items", request.items.len(), desk.settings())?;
    request.items.iter().map(|item| settlement(item, &desk.caller.user)).collect()
}

fn settlement(item: &SettleItem, actor: &str) -> Result<Settlement, Fault> {
    let id = item_id(&item.id)?;
    let attempt = item.attempt.as_ref().map(|attempt| record(attempt, actor).map(Box::new)).transpose()?;
    let verb = match &item.verb {
        None => return Err(Fault::bad(format!("verb is invalid; '{}' has none", item.id))),
        // Nobody wants the letter: as far as the queue knows, it is done.
        Some(Sent::Ack(_) | Sent::Drop(_)) => Verb::Complete { attempt },
        Some(Sent::Retry(retry)) => Verb::Retry { at: time("at", retry.at)?, attempt, charged: !retry.is_free },
        Some(Sent::DeadLetter(dead)) => Verb::Dead { attempt, why: give_up(&dead.why)? },
        Some(Sent::Defer(defer)) => {
            let until = time("until", defer.until)?;
            Verb::Defer { until: until.ok_or_else(|| Fault::bad("until is invalid; cannot be empty"))? }
        }
        Some(Sent::Release(_)) => Verb::Release,
        Some(Sent::Condemn(_)) => Verb::Condemn { attempt },
    };
    Ok(Settlement { id, verb })
}

fn give_up(why: &str) -> Result<GiveUp, Fault> {
    match why {
        "exhausted" => Ok(GiveUp::Exhausted),
        "permanent" => Ok(GiveUp::Permanent),
        "spent" => Ok(GiveUp::Spent),
        _ => Err(Fault::bad(format!("why is invalid; '{why}' is not one of exhausted, permanent, spent"))),
    }
}

fn record(sent: &Attempt, actor: &str) -> Result<redrive_queue::Attempt, Fault> {
    let trigger = one_of("trigger", &sent.trigger)?.unwrap_or(Trigger::Automatic);
    let outcome = one_of("outcome", &sent.outcome)?;
    let outcome: Outcome = outcome.ok_or_else(|| Fault::bad("outcome is invalid; cannot be empty"))?;
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Ok(redrive_queue::Attempt {
        started_at: time("started_at", sent.started_at)?,
        ended_at: time("ended_at", sent.ended_at)?,
        cause: one_of("cause", &sent.cause)?,
        error_type: text(&sent.error_type),
        error: sent.error.clone(),
        category: one_of("category", &sent.category)?,
        rule: text(&sent.rule),
        fingerprint: one_of("fingerprint", &sent.fingerprint)?,
        failed_parts: sent.failed_parts.clone(),
        worker: text(&sent.worker).map(Arc::from),
        // Of what nobody asked for, nobody is the one who did.
        actor: (trigger == Trigger::Manual).then(|| Arc::from(actor)),
        ..redrive_queue::Attempt::new(trigger, outcome)
    })
}
