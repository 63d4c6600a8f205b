//! `status.*`: the overview of a server.

use redrive_proto::redrive::v1::{StatusGetRequest, StatusGetResponse, StatusQueuesRequest, StatusQueuesResponse};

use crate::call::Call;
use crate::{Client, ClientError};

impl Client {
    /// Returns what needs attention, a page of queues, the retries of letters and the state of the server.
    pub async fn status(&self, request: &StatusGetRequest) -> Result<StatusGetResponse, ClientError> {
        self.call(Call::read("/v1/status.get"), request).await
    }

    /// Returns queues with their numbers: those of a namespace by name, or one.
    pub async fn queue_statuses(&self, request: &StatusQueuesRequest) -> Result<StatusQueuesResponse, ClientError> {
        self.call(Call::read("/v1/status.queues"), request).await
    }
}
