//! `queue.*`: producing, leasing and settling items.

use redrive_proto::duh::v1::Reply;
use redrive_proto::prost::Message;
use redrive_proto::querator::{
    QueueClearRequest, QueueCompleteRequest, QueueLeaseRequest, QueueLeaseResponse, QueueProduceRequest,
    QueueReloadRequest, QueueRetryRequest, QueueStatsRequest, QueueStatsResponse,
};
use redrive_proto::redrive::v1::{
    QueueClaimRequest, QueueClaimResponse, QueueExtendRequest, QueueExtendResponse, QueuePauseRequest, QueuePutRequest,
    QueuePutResponse, QueueResumeRequest, QueueSettleRequest, QueueSettleResponse,
};

use super::table::calls;
use crate::call::{Call, fresh_request_id};
use crate::transport::WaitingRequest;
use crate::{Client, ClientError};

calls! {
    /// Requeues leased items, now or at a later time, or moves them to the dead queue.
    retry(QueueRetryRequest) -> () = execute act "/v1/queue.retry";
    /// Reports the results of claimed items, with an answer for each. With `stop_at_refused` it stops at the first
    /// rejected item.
    settle(QueueSettleRequest) -> QueueSettleResponse = call act "/v1/queue.settle";
    /// Returns the statistics of a queue.
    stats(QueueStatsRequest) -> QueueStatsResponse = call read "/v1/queue.stats";
    /// Recounts the partitions. Counts are always exact, so this changes nothing.
    reload(QueueReloadRequest) -> () = execute act "/v1/queue.reload";
    /// Stops leases until the queue is resumed.
    pause(QueuePauseRequest) -> () = execute act "/v1/queue.pause";
    /// Resumes leases.
    resume(QueueResumeRequest) -> () = execute act "/v1/queue.resume";
}

/// The numbers of what a clear has removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClearedItems {
    /// Letters included.
    pub items: u64,
    /// The letters among the items, counted just before.
    pub letters: u64,
}

impl Client {
    /// Stores items durably in a queue: all of them, or none. Not repeated if the answer is lost; see
    /// [`put`](Self::put).
    pub async fn produce(&self, request: &QueueProduceRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/queue.produce").within(&request.request_timeout), request).await
    }

    /// Stores items with all attributes. A call whose answer was lost is repeated under the same `request_id`, which
    /// the server recognises: no item is stored twice. A request without an id gets one.
    pub async fn put(&self, request: &QueuePutRequest) -> Result<QueuePutResponse, ClientError> {
        let call = Call::read("/v1/queue.put").within(&request.request_timeout);
        if !request.request_id.is_empty() {
            return self.call(call, request).await;
        }
        // Two concatenated messages decode as one with the fields of both, so the items need not be copied.
        let named = QueuePutRequest { request_id: fresh_request_id(), ..QueuePutRequest::default() };
        let mut body = request.encode_to_vec();
        body.extend(named.encode_to_vec());
        self.call_encoded(call, body).await
    }

    /// Leases items; waits for at least one, at most `request_timeout`. Dropping the future closes its connection, and
    /// the server leases nothing to a disconnected client; an answer in transit is lost, and its leases expire.
    pub async fn lease(&self, request: &QueueLeaseRequest) -> Result<QueueLeaseResponse, ClientError> {
        self.call(Call::act("/v1/queue.lease").within(&request.request_timeout), request).await
    }

    /// Leases complete items for a duration chosen by the caller. Otherwise like [`lease`](Self::lease).
    pub async fn claim(&self, request: &QueueClaimRequest) -> Result<QueueClaimResponse, ClientError> {
        self.call(Call::act(CLAIM).within(&request.request_timeout), request).await
    }

    /// A claim that can be cancelled without losing an answer in transit.
    pub(crate) async fn claim_on(
        &self,
        waiting: &WaitingRequest,
        request: &QueueClaimRequest,
    ) -> Result<QueueClaimResponse, ClientError> {
        let call = Call { waiting: Some(waiting), ..Call::act(CLAIM) };
        self.call(call.within(&request.request_timeout), request).await
    }

    /// Completes leased items. Stops at the first that is not leased to the caller; the items before it are completed.
    pub async fn complete(&self, request: &QueueCompleteRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/queue.complete").within(&request.request_timeout), request).await
    }

    /// Extends leases. A lease is shortened only on request; without it the call is idempotent, and it is repeated if its
    /// answer is lost.
    pub async fn extend(&self, request: &QueueExtendRequest) -> Result<QueueExtendResponse, ClientError> {
        // A late repetition would take time away from a holder who extended the lease meanwhile.
        let call = if request.may_shorten { Call::act } else { Call::read };
        self.call(call("/v1/queue.extend"), request).await
    }

    /// Removes items from a queue, and returns their numbers; `None` if the server is too old to return them.
    pub async fn clear(&self, request: &QueueClearRequest) -> Result<Option<ClearedItems>, ClientError> {
        let cleared: Reply = self.call(Call::act("/v1/queue.clear"), request).await?;
        let count = |name: &str| cleared.details.get(name).and_then(|count| count.parse().ok());
        // The number of letters is omitted if it is 0.
        Ok(count("items").map(|items| ClearedItems { items, letters: count("letters").unwrap_or(0) }))
    }
}

const CLAIM: &str = "/v1/queue.claim";
