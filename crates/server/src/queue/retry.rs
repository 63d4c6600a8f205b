//! Give leased items back, for now, for later or for good.

use redrive_core::{Span, Time};
use redrive_model::{DeadCause, OnRejected, RetryAt, SettleAction, Settlement};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::{QueueRetryItem, QueueRetryRequest};

use super::complete::check_count;
use super::timeout::USUAL;
use super::whole_ids;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Fault, done};
use crate::settings::Settings;
use crate::traffic::Kind;
use crate::wire::time;

/// A time that is less than this ahead is now.
const SOON: Span = Span::from_millis(100);

#[derive(Debug)]
pub(crate) struct Retry;

impl Endpoint for Retry {
    type Request = QueueRetryRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.retry";
    const NEEDS: Permission = Permission::QueueRetry;

    async fn call(desk: &Desk, request: QueueRetryRequest) -> Result<Reply, Fault> {
        let queue = desk.queue(&request.queue_name, Self::NEEDS).await?;
        let checked = check(request.items.len(), desk.settings());
        desk.checked(&queue, Some(request.partition), checked).await?;
        let _passage = desk.app.traffic.enter(&queue, Kind::Retry);
        let (ids, rest) = whole_ids(request.items.iter().map(|item| item.id.as_str()));
        let rest = desk.checked(&queue, Some(request.partition), rest).await;
        if !ids.is_empty() {
            let soon = desk.app.deadlines.now().saturating_add(SOON);
            let asked = ids.into_iter().zip(&request.items);
            let settlement = |(id, item)| Ok(Settlement { id, action: action(item, soon)? });
            let items = asked.map(settlement).collect::<Result<_, Fault>>()?;
            let partition = u32::try_from(request.partition).ok();
            let settle =
                redrive_model::Settle { queue: queue.clone(), partition, items, on_rejected: OnRejected::Stop };
            let settled = desk.within(&queue, USUAL, desk.store().settle(settle)).await?;
            settled.into_iter().try_for_each(|answer| answer.map(|_| ()).map_err(Fault::from))?;
        }
        rest.map(|()| done())
    }
}

fn check(items: usize, settings: &Settings) -> Result<(), Fault> {
    if items == 0 {
        return Err(Fault::bad("items is invalid; list of items cannot be empty"));
    }
    check_count("items", items, settings)
}

fn action(item: &QueueRetryItem, soon: Time) -> Result<SettleAction, Fault> {
    if item.dead {
        return Ok(SettleAction::Dead { attempt: None, why: DeadCause::Exhausted });
    }
    let at = time("retry_at", item.retry_at)?.filter(|at| *at >= soon);
    Ok(SettleAction::Retry { at: RetryAt::Undecided(at), attempt: None, charged: true })
}
