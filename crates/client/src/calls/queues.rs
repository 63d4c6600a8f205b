//! `queues.*`: creating, changing and deleting queues.

use redrive_proto::querator::{
    QueueInfo, QueuesDeleteRequest, QueuesInfoRequest, QueuesListRequest, QueuesListResponse,
};

use crate::call::Call;
use crate::{Client, ClientError};

impl Client {
    /// Creates a queue.
    pub async fn create_queue(&self, queue: &QueueInfo) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/queues.create"), queue).await
    }

    /// Changes a queue. Reference, dead queue and attempts are overwritten even if they are empty.
    pub async fn update_queue(&self, queue: &QueueInfo) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/queues.update"), queue).await
    }

    /// Lists the queues of a namespace by name.
    pub async fn list_queues(&self, request: &QueuesListRequest) -> Result<QueuesListResponse, ClientError> {
        self.call(Call::read("/v1/queues.list"), request).await
    }

    /// Returns the settings of a queue.
    pub async fn queue_info(&self, request: &QueuesInfoRequest) -> Result<QueueInfo, ClientError> {
        self.call(Call::read("/v1/queues.info"), request).await
    }

    /// Deletes a queue with all its items.
    pub async fn delete_queue(&self, request: &QueuesDeleteRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/queues.delete"), request).await
    }
}
