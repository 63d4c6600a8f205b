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

/// Timeout of requests that do not wait for items.
const REQUEST_TIMEOUT: &str = "1m";

impl Client {
    /// Returns the calls about one queue.
    pub fn queue(&self, name: impl Into<String>) -> Queue {
        Queue { client: self.clone(), name: name.into() }
    }
}

/// A queue of a server, by its name. Its existence is checked by the calls, not when this is created.
#[derive(Debug, Clone)]
pub struct Queue {
    client: Client,
    name: String,
}

impl Queue {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Stores items durably: all of them, or none.
    pub async fn produce(&self, items: Vec<QueueProduceItem>) -> Result<(), ClientError> {
        let (queue_name, request_timeout) = (self.name.clone(), REQUEST_TIMEOUT.to_owned());
        self.client.produce(&QueueProduceRequest { queue_name, request_timeout, items }).await
    }

    /// Stores items with all attributes. A call whose answer was lost is repeated, and no item is stored twice.
    pub async fn put(&self, items: Vec<PutItem>) -> Result<QueuePutResponse, ClientError> {
        let (queue_name, request_timeout) = (self.name.clone(), REQUEST_TIMEOUT.to_owned());
        self.client.put(&QueuePutRequest { queue_name, request_timeout, items, request_id: String::new() }).await
    }

    /// Leases up to `batch` items; waits for the first one at most `wait`.
    pub async fn lease(&self, client_id: &str, batch: i32, wait: Span) -> Result<QueueLeaseResponse, ClientError> {
        let request = QueueLeaseRequest {
            queue_name: self.name.clone(),
            batch_size: batch,
            client_id: client_id.to_owned(),
            request_timeout: wait.to_string(),
        };
        self.client.lease(&request).await
    }

    /// Leases up to `batch` complete items for `lease`; waits for the first one at most `wait`.
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

    /// Completes leased items; `partition` is the one returned by the lease.
    pub async fn complete(&self, partition: i32, ids: Vec<String>) -> Result<(), ClientError> {
        let (queue_name, request_timeout) = (self.name.clone(), REQUEST_TIMEOUT.to_owned());
        self.client.complete(&QueueCompleteRequest { queue_name, partition, request_timeout, ids }).await
    }

    /// Requeues leased items, now or at a later time, or moves them to the dead queue.
    pub async fn retry(&self, partition: i32, items: Vec<QueueRetryItem>) -> Result<(), ClientError> {
        self.client.retry(&QueueRetryRequest { queue_name: self.name.clone(), partition, items }).await
    }

    /// Reports the results of claimed items.
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

    /// Extends leases to `lease` from now; returns the new deadline of each.
    pub async fn extend(&self, ids: Vec<String>, lease: Span) -> Result<QueueExtendResponse, ClientError> {
        let (queue_name, lease_timeout) = (self.name.clone(), lease.to_string());
        self.client.extend(&QueueExtendRequest { queue_name, partition: None, ids, lease_timeout }).await
    }

    /// Removes the ready items.
    pub async fn clear(&self) -> Result<(), ClientError> {
        let queue_name = self.name.clone();
        self.client.clear(&QueueClearRequest { queue_name, queue: true, ..QueueClearRequest::default() }).await
    }

    /// Returns the statistics of the queue.
    pub async fn stats(&self) -> Result<LogicalQueueStats, ClientError> {
        let stats = self.client.stats(&QueueStatsRequest { queue_name: self.name.clone() }).await?;
        let logical = stats.logical_queues.into_iter().next();
        logical.ok_or_else(|| self.client.reader().not_understood("it contains no queue"))
    }

    /// Returns the settings of the queue.
    pub async fn info(&self) -> Result<QueueInfo, ClientError> {
        self.client.queue_info(&QueuesInfoRequest { queue_name: self.name.clone() }).await
    }

    /// Stops leases until the queue is resumed.
    pub async fn pause(&self) -> Result<(), ClientError> {
        self.client.pause(&QueuePauseRequest { queue_name: self.name.clone() }).await
    }

    /// Resumes leases.
    pub async fn resume(&self) -> Result<(), ClientError> {
        self.client.resume(&QueueResumeRequest { queue_name: self.name.clone() }).await
    }

    /// Deletes the queue with all its items. Fails if it is the dead queue of another queue.
    pub async fn delete(&self) -> Result<(), ClientError> {
        self.client.delete_queue(&QueuesDeleteRequest { queue_name: self.name.clone(), force: false }).await
    }
}
