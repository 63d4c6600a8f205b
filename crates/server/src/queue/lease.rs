//! Lease items.

use redrive_core::Span;
use redrive_model::{LeaseSpec, Leased, Rejection, StoredItem};
use redrive_proto::querator::{QueueLeaseItem, QueueLeaseRequest, QueueLeaseResponse};
use redrive_store::StoreError;

use super::timeout::{GRACE, Timeout};
use crate::api_error::{ApiError, Code};
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::settings::Settings;
use crate::traffic::Kind;
use crate::wire::count;

pub(crate) struct Lease;

impl Endpoint for Lease {
    type Request = QueueLeaseRequest;
    type Answer = QueueLeaseResponse;

    const PATH: &'static str = "/v1/queue.lease";
    const NEEDS: Permission = Permission::QueueLease;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: QueueLeaseRequest) -> Result<QueueLeaseResponse, ApiError> {
        let checked = check(&request, ctx.settings());
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        let (batch, timeout) = ctx.checked(&queue, None, checked).await?;
        let lease = redrive_model::Lease {
            queue,
            client_id: Some(request.client_id),
            spec: LeaseSpec { batch, lease: None, notes_receipt: false },
            wait: timeout,
        };
        let leased = take(ctx, lease, timeout).await?;
        Ok(QueueLeaseResponse {
            queue_name: request.queue_name,
            partition: count(leased.partition),
            items: leased.items.into_iter().map(lease_item).collect(),
        })
    }
}

/// Waits for items. A lease that does not answer within the timeout of its request has leased nothing, so it ends like one
/// that found no items.
pub(super) async fn take(ctx: &RequestContext, lease: redrive_model::Lease, within: Span) -> Result<Leased, ApiError> {
    let queue = lease.queue.clone();
    let Ok(_permit) = ctx.app.lease_permits.try_acquire() else {
        let message = "server is overloaded; leases wait on half of the connections that it allows, try again later";
        return Err(ApiError::new(Code::RetryRequest, message).because("server_overloaded"));
    };
    let _in_flight = ctx.app.traffic.enter(&queue, Kind::Lease);
    let within = within.saturating_add(GRACE);
    let work = ctx.until_shutdown(ctx.within(&queue, within, ctx.store().lease(lease)));
    let leased = tokio::select! {
        biased;
        leased = work => leased,
        error = ctx.revoked(&queue, Permission::QueueLease) => Err(error),
    };
    leased.map_err(|error| if error.is_timed_out() { StoreError::TimedOut.into() } else { error })
}

fn check(request: &QueueLeaseRequest, settings: &Settings) -> Result<(u64, Span), ApiError> {
    let mut problems = Problems::default();
    let timeout = problems.field("request_timeout", Timeout::parse(&request.request_timeout).map(Some));
    let has_client = if request.client_id.is_empty() { Err(Rejection::NoClientId) } else { Ok(()) };
    problems.field("client_id", has_client);
    let batch = problems.field("batch_size", batch(request.batch_size, settings));
    let timeout = problems.field("request_timeout", timeout.map(Timeout::of_wait).transpose());
    problems.finish((batch, timeout.unwrap_or_default()))
}

/// Checks the batch size of a request.
pub(super) fn batch(given: i32, settings: &Settings) -> Result<u64, ApiError> {
    let most = settings.lease_batch_max as u64;
    match u64::try_from(given) {
        Err(_) | Ok(0) => Err(Rejection::NoBatchSize.into()),
        Ok(given) if given > most => Err(Rejection::BatchTooLarge { given, most }.into()),
        Ok(batch) => Ok(batch),
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
