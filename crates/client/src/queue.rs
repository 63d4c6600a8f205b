//! The calls about one queue.

use redrive_core::Span;
use redrive_proto::querator::{
    LogicalQueueStats, QueueClearRequest, QueueCompleteRequest, QueueInfo, QueueLeaseRequest, QueueLeaseResponse,
    QueueProduceItem, QueueProduceRequest, QueueRetryItem, QueueRetryRequest, QueueStatsRequest, QueuesDeleteRequest,
    QueuesInfoRequest,
};
use redrive_proto::redrive::v1::{
    PutItem, QueueClaimRequest, QueueClaimResponse, QueueExtendRequest, QueueExtendResponse, QueuePauseRequest,
    QueuePutRequest, QueuePutResponse, QueueResumeRequest, QueueSettleRequest, QueueSettleResponse, SettleItem,
};

use crate::{Client, ClientError};

/// How long a request may take that is answered as soon as it is done.
const USUAL: &str = "1m";

impl Client {
    /// The calls about one queue, with its name filled in.
    pub fn queue(&self, name: impl Into<String>) -> Queue {
        Queue { client: self.clone(), name: name.into() }
    }
}

/// A queue of a server, by its name. Whether there is one is found out by the calls.
#[derive(Debug, Clone)]
pub struct Queue {
    client: Client,
    name: String,
}

impl Queue {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Puts items in: all of them, durably, or none.
    pub async fn produce(&self, items: Vec<QueueProduceItem>) -> Result<(), ClientError> {
        let (queue_name, request_timeout) = (self.name.clone(), USUAL.to_owned());
        self.client.produce(&QueueProduceRequest { queue_name, request_timeout, items }).await
    }

    /// Puts items in with all that an item can carry. A call whose answer was lost is tried again, and puts nothing in twice.
    pub async fn put(&self, items: Vec<PutItem>) -> Result<QueuePutResponse, ClientError> {
        let (queue_name, request_timeout) = (self.name.clone(), USUAL.to_owned());
        self.client.put(&QueuePutRequest { queue_name, request_timeout, items, request_id: String::new() }).await
    }

    /// Takes up to `batch` items; waits so long for the first.
    pub async fn lease(&self, client_id: &str, batch: i32, wait: Span) -> Result<QueueLeaseResponse, ClientError> {
        let request = QueueLeaseRequest {
            queue_name: self.name.clone(),
            batch_size: batch,
            client_id: client_id.to_owned(),
            request_timeout: wait.to_string(),
        };
        self.client.lease(&request).await
    }

    /// Takes up to `batch` whole items, and holds them for `lease`; waits so long for the first.
    pub async fn claim(&self, batch: i32, lease: Span, wait: Span) -> Result<QueueClaimResponse, ClientError> {
        let request = QueueClaimRequest {
            queue_name: self.name.clone(),
            batch_size: batch,
            client_id: String::new(),
            request_timeout: wait.to_string(),
            lease_timeout: lease.to_string(),
        };
        self.client.claim(&request).await
    }

    /// Says that leased items are done; the partition is the one that the lease named.
    pub async fn complete(&self, partition: i32, ids: Vec<String>) -> Result<(), ClientError> {
        let (queue_name, request_timeout) = (self.name.clone(), USUAL.to_owned());
        self.client.complete(&QueueCompleteRequest { queue_name, partition, request_timeout, ids }).await
    }

    /// Gives leased items back, at once or for later, or sends them to the dead queue.
    pub async fn retry(&self, partition: i32, items: Vec<QueueRetryItem>) -> Result<(), ClientError> {
        self.client.retry(&QueueRetryRequest { queue_name: self.name.clone(), partition, items }).await
    }

    /// Says what became of claimed items.
    pub async fn settle(&self, items: Vec<SettleItem>) -> Result<QueueSettleResponse, ClientError> {
        self.client
            .settle(&QueueSettleRequest {
                queue_name: self.name.clone(),
                partition: None,
                items,
                stop_at_refused: false,
            })
            .await
    }

    /// Holds items for `lease` from now on; gives until when each is held.
    pub async fn extend(&self, ids: Vec<String>, lease: Span) -> Result<QueueExtendResponse, ClientError> {
        let (queue_name, lease_timeout) = (self.name.clone(), lease.to_string());
        self.client.extend(&QueueExtendRequest { queue_name, partition: None, ids, lease_timeout }).await
    }

    /// Removes the items that nobody holds and that wait for no time.
    pub async fn clear(&self) -> Result<(), ClientError> {
        let queue_name = self.name.clone();
        self.client.clear(&QueueClearRequest { queue_name, queue: true, ..QueueClearRequest::default() }).await
    }

    /// Its numbers.
    pub async fn stats(&self) -> Result<LogicalQueueStats, ClientError> {
        let stats = self.client.stats(&QueueStatsRequest { queue_name: self.name.clone() }).await?;
        let logical = stats.logical_queues.into_iter().next();
        logical.ok_or_else(|| self.client.reader().not_understood("it tells of no queue"))
    }

    /// Its settings.
    pub async fn info(&self) -> Result<QueueInfo, ClientError> {
        self.client.queue_info(&QueuesInfoRequest { queue_name: self.name.clone() }).await
    }

    /// Gives no more leases until it is resumed.
    pub async fn pause(&self) -> Result<(), ClientError> {
        self.client.pause(&QueuePauseRequest { queue_name: self.name.clone() }).await
    }

    /// Gives leases again.
    pub async fn resume(&self) -> Result<(), ClientError> {
        self.client.resume(&QueueResumeRequest { queue_name: self.name.clone() }).await
    }

    /// Removes it with all that is in it; not if it is somebody's dead queue.
    pub async fn delete(&self) -> Result<(), ClientError> {
        self.client.delete_queue(&QueuesDeleteRequest { queue_name: self.name.clone(), force: false }).await
    }
}
