//! Take items to work on.

use redrive_model::{LeaseSpec, Leased, StoredItem};
use redrive_proto::querator::{QueueLeaseItem, QueueLeaseRequest, QueueLeaseResponse};
use redrive_store::StoreError;

use super::timeout::{GRACE, Timeout};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
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

    async fn call(desk: &Desk, request: QueueLeaseRequest) -> Result<QueueLeaseResponse, Fault> {
        let queue = desk.queue(&request.queue_name, Self::NEEDS).await?;
        let (batch, timeout) = desk.checked(&queue, None, check(&request, desk.settings())).await?;
        let lease = redrive_model::Lease {
            queue,
            client_id: Some(request.client_id),
            spec: LeaseSpec { batch, lease: None },
            wait: timeout.span(),
        };
        let leased = take(desk, lease).await?;
        Ok(QueueLeaseResponse {
            queue_name: request.queue_name,
            partition: count(leased.partition),
            items: leased.items.into_iter().map(lease_item).collect(),
        })
    }
}

/// Waits for items. A lease that is not heard of in time has taken nothing, so that it ends like one for which there was
/// nothing.
pub(super) async fn take(desk: &Desk, lease: redrive_model::Lease) -> Result<Leased, Fault> {
    let queue = lease.queue.clone();
    let Ok(_place) = desk.app.leases.try_acquire() else {
        let message = "server is overloaded; leases wait on half of the connections that it takes, try again later";
        return Err(Fault::new(Code::RetryRequest, message));
    };
    let _passage = desk.app.traffic.enter(&queue, Kind::Lease);
    let wait = lease.wait.saturating_add(GRACE);
    let work = desk.while_open(desk.within(&queue, wait, desk.store().lease(lease)));
    let leased = tokio::select! {
        biased;
        leased = work => leased,
        fault = desk.revoked(&queue, Permission::QueueLease) => Err(fault),
    };
    leased.map_err(|fault| if fault == Fault::late() { StoreError::TimedOut.into() } else { fault })
}

fn check(request: &QueueLeaseRequest, settings: &Settings) -> Result<(u64, Timeout), Fault> {
    let timeout = Timeout::parse(&request.request_timeout)?;
    if request.client_id.is_empty() {
        return Err(Fault::bad("invalid client id; cannot be empty"));
    }
    let batch = batch(request.batch_size, settings)?;
    Ok((batch, timeout.required()?.at_most()?.at_least()?))
}

/// How many items are wanted.
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
