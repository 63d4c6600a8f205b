//! `queue.*`: putting items in, taking them out, and saying what became of them.

use redrive_proto::prost::Message;
use redrive_proto::querator::{
    QueueClearRequest, QueueCompleteRequest, QueueLeaseRequest, QueueLeaseResponse, QueueProduceRequest,
    QueueReloadRequest, QueueRetryRequest, QueueStatsRequest, QueueStatsResponse,
};
use redrive_proto::redrive::v1::{
    QueueClaimRequest, QueueClaimResponse, QueueExtendRequest, QueueExtendResponse, QueuePauseRequest, QueuePutRequest,
    QueuePutResponse, QueueResumeRequest, QueueSettleRequest, QueueSettleResponse,
};

use crate::call::{Call, fresh_request_id};
use crate::transport::Line;
use crate::{Client, ClientError};

impl Client {
    /// Puts items into a queue: all of them, durably, or none.
    pub async fn produce(&self, request: &QueueProduceRequest) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queue.produce").within(&request.request_timeout), request).await
    }

    /// Puts items in with all that an item can carry. A call whose answer was lost is tried again under the same
    /// `request_id`, by which the server knows it: nothing is put in twice. A request without one gets one.
    pub async fn put(&self, request: &QueuePutRequest) -> Result<QueuePutResponse, ClientError> {
        let call = Call::read("/v1/queue.put").within(&request.request_timeout);
        if !request.request_id.is_empty() {
            return self.ask(call, request).await;
        }
        // Two messages in a row are one with the fields of both, so that the items need not be copied.
        let named = QueuePutRequest { request_id: fresh_request_id(), ..QueuePutRequest::default() };
        let mut body = request.encode_to_vec();
        body.extend(named.encode_to_vec());
        self.ask_encoded(call, body).await
    }

    /// Takes items to work on; waits until there is one. A future that is dropped closes its connection, and the
    /// server gives nothing to whoever has gone; an answer that was on its way is lost, and its leases run out.
    pub async fn lease(&self, request: &QueueLeaseRequest) -> Result<QueueLeaseResponse, ClientError> {
        self.ask(Call::act("/v1/queue.lease").within(&request.request_timeout), request).await
    }

    /// Takes whole items, for as long as the caller wants to hold them. Else like [`lease`](Self::lease).
    pub async fn claim(&self, request: &QueueClaimRequest) -> Result<QueueClaimResponse, ClientError> {
        self.ask(Call::act(CLAIM).within(&request.request_timeout), request).await
    }

    /// A claim that can be taken back without losing an answer that is on its way.
    pub(crate) async fn claim_on(
        &self,
        line: &Line,
        request: &QueueClaimRequest,
    ) -> Result<QueueClaimResponse, ClientError> {
        let call = Call { line: Some(line), ..Call::act(CLAIM) };
        self.ask(call.within(&request.request_timeout), request).await
    }

    /// Says that leased items are done. It stops at the first that is not the caller's; those before it are done.
    pub async fn complete(&self, request: &QueueCompleteRequest) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queue.complete").within(&request.request_timeout), request).await
    }

    /// Gives leased items back, at once or for later, or sends them to the dead queue.
    pub async fn retry(&self, request: &QueueRetryRequest) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queue.retry"), request).await
    }

    /// Says what became of claimed items, one by one. It stops at the first that is refused, and says how far it came.
    pub async fn settle(&self, request: &QueueSettleRequest) -> Result<QueueSettleResponse, ClientError> {
        self.ask(Call::act("/v1/queue.settle"), request).await
    }

    /// Moves the end of leases on, never back, so that asking twice is as good as once.
    pub async fn extend(&self, request: &QueueExtendRequest) -> Result<QueueExtendResponse, ClientError> {
        self.ask(Call::read("/v1/queue.extend"), request).await
    }

    /// Empties a queue.
    pub async fn clear(&self, request: &QueueClearRequest) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queue.clear"), request).await
    }

    /// The numbers of a queue.
    pub async fn stats(&self, request: &QueueStatsRequest) -> Result<QueueStatsResponse, ClientError> {
        self.ask(Call::read("/v1/queue.stats"), request).await
    }

    /// Counts the partitions again.
    pub async fn reload(&self, request: &QueueReloadRequest) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queue.reload"), request).await
    }

    /// Gives no more leases until the queue is resumed.
    pub async fn pause(&self, request: &QueuePauseRequest) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queue.pause"), request).await
    }

    /// Gives leases again.
    pub async fn resume(&self, request: &QueueResumeRequest) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queue.resume"), request).await
    }
}

const CLAIM: &str = "/v1/queue.claim";
