//! Lease items.

use redrive_core::Span;
use redrive_model::{LeaseSpec, Leased, StoredItem};
use redrive_proto::querator::{QueueLeaseItem, QueueLeaseRequest, QueueLeaseResponse};
use redrive_store::StoreError;

use super::timeout::{GRACE, Timeout};
use crate::auth::Permission;
use crate::fault::{Code, Fault};
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};
use crate::traffic::Kind;
use crate::wire::count;

#[derive(Debug)]
pub(crate) struct Lease;

impl Endpoint for Lease {
    type Request = QueueLeaseRequest;
    type Answer = QueueLeaseResponse;

    const PATH: &'static str = "/v1/queue.lease";
    const NEEDS: Permission = Permission::QueueLease;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    async fn call(ctx: &RequestContext, request: QueueLeaseRequest) -> Result<QueueLeaseResponse, Fault> {
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await?;
        let (batch, timeout) = ctx.checked(&queue, None, check(&request, ctx.settings())).await?;
        let lease = redrive_model::Lease {
            queue,
            client_id: Some(request.client_id),
            spec: LeaseSpec { batch, lease: None, notes_receipt: false },
            wait: timeout.span(),
        };
        let leased = take(ctx, lease, timeout.span()).await?;
        Ok(QueueLeaseResponse {
            queue_name: request.queue_name,
            partition: count(leased.partition),
            items: leased.items.into_iter().map(lease_item).collect(),
        })
    }
}

/// Waits for items. A lease that does not answer within the timeout of its request has leased nothing, so it ends like one
/// that found no items.
pub(super) async fn take(ctx: &RequestContext, lease: redrive_model::Lease, within: Span) -> Result<Leased, Fault> {
    let queue = lease.queue.clone();
    let Ok(_permit) = ctx.app.lease_permits.try_acquire() else {
        let message = "server is overloaded; leases wait on half of the connections that it allows, try again later";
        return Err(Fault::new(Code::RetryRequest, message));
    };
    let _in_flight = ctx.app.traffic.enter(&queue, Kind::Lease);
    let within = within.saturating_add(GRACE);
    let work = ctx.until_shutdown(ctx.within(&queue, within, ctx.store().lease(lease)));
    let leased = tokio::select! {
        biased;
        leased = work => leased,
        fault = ctx.revoked(&queue, Permission::QueueLease) => Err(fault),
    };
    leased.map_err(|fault| if fault == Fault::timed_out() { StoreError::TimedOut.into() } else { fault })
}

fn check(request: &QueueLeaseRequest, settings: &Settings) -> Result<(u64, Timeout), Fault> {
    let timeout = Timeout::parse(&request.request_timeout)?;
    if request.client_id.is_empty() {
        return Err(Fault::bad("invalid client id; cannot be empty"));
    }
    let batch = batch(request.batch_size, settings)?;
    Ok((batch, timeout.required()?.at_most()?.at_least()?))
}

/// Checks the batch size of a request.
pub(super) fn batch(given: i32, settings: &Settings) -> Result<u64, Fault> {
    let most = settings.lease_batch_max;
    match usize::try_from(given) {
        Err(_) | Ok(0) => Err(Fault::bad("invalid batch size; must be greater than zero")),
        Ok(batch) if batch > most => {
            let message = format!("invalid batch size; max_lease_batch_size is {most}, but {given} was requested");
            Err(Fault::bad(message))
        }
        Ok(batch) => Ok(batch as u64),
    }
}

fn lease_item(stored: StoredItem) -> QueueLeaseItem {
    let StoredItem { info, content, .. } = stored;
    let deadline = info.state.lease_deadline();
    QueueLeaseItem {
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        reference: content.reference.clone(),
        id: info.id.to_string(),
        attempts: count(info.attempts),
        lease_deadline: Some(deadline.into()),
        bytes: content.payload.clone(),
    }
}
