//! Whether queues are paused. The calls about the settings of queues cannot say it: their answers are those of Querator.

use std::collections::HashMap;

use anyhow::Result;
use redrive_client::ClientError;
use redrive_client::proto::redrive::v1::StatusQueuesRequest;

use crate::session::Session;

/// Whether queues are paused, by name. A queue is missing if the caller may not read it, or the server does not tell.
#[derive(Debug, Default)]
pub(super) struct PausedQueues(HashMap<String, bool>);

impl PausedQueues {
    /// The state of one queue.
    pub(super) async fn of(session: &Session, queue: &str) -> Result<Self> {
        Self::read(session, StatusQueuesRequest { queue_name: queue.to_owned(), ..StatusQueuesRequest::default() })
            .await
    }

    pub(super) async fn read(session: &Session, request: StatusQueuesRequest) -> Result<Self> {
        let call = async {
            match session.client.queue_statuses(&request).await {
                // An older server, or a queue that was deleted meanwhile.
                Err(ClientError::NotImplemented { .. }) => Ok(Vec::new()),
                Err(error) if error.is_no_such_queue() => Ok(Vec::new()),
                answer => answer.map(|answer| answer.queues),
            }
        };
        let queues = session.call_if_allowed(call).await?.unwrap_or_default();
        Ok(Self(queues.into_iter().map(|queue| (queue.queue_name, queue.is_paused)).collect()))
    }

    pub(super) fn get(&self, queue: &str) -> Option<bool> {
        self.0.get(queue).copied()
    }
}

/// The cell of a table.
pub(super) const fn shown(paused: Option<bool>) -> &'static str {
    match paused {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    }
}
