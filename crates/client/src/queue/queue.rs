//! The handle of one queue.

use redrive_core::{ItemId, Span, Time};
use redrive_model::{
    HeldItem, LeaseByMessageId, LeaseSpec, Leased, NewItem, OnRejected, Produced, QueueSettings, Rejection, RequestKey,
    SettleAction, Settled, Settlement, StoredItem,
};
use redrive_proto::querator::{
    LogicalQueueStats, QueueClearRequest, QueueInfo, QueueStatsRequest, QueuesDeleteRequest, QueuesInfoRequest,
};
use redrive_proto::redrive::v1::{
    QueueClaimRequest, QueueExtendRequest, QueuePauseRequest, QueuePutRequest, QueueResumeRequest, QueueSettleRequest,
};

use super::LeaseOptions;
use super::batches::{self, BATCH_MAX, IDS_MAX, times_of_wait};
use super::claiming::claim;
use crate::wire::{item, number, settings, settlement};
use crate::{Client, ClientError};

/// The timeout of requests that do not wait.
const TIMEOUT: &str = "1m";

impl Client {
    /// Returns the handle of a queue.
    pub fn queue(&self, name: impl AsRef<str>) -> Queue {
        Queue { client: self.clone(), name: name.as_ref().to_owned() }
    }
}

/// A queue of a server, by its name. Its existence is checked by the calls, not when the handle is created.
///
/// Durations, times, ids, items and settings have the types of a store. The calls beneath, which take and return the
/// messages of the wire, are methods of [`Client`].
#[derive(Debug, Clone)]
pub struct Queue {
    client: Client,
    name: String,
}

impl Queue {
    /// Creates a queue and returns its handle.
    ///
    /// # Errors
    ///
    /// Fails if the settings have letter settings or are paused: call [`Letters::configure`](crate::Letters::configure)
    /// and [`pause`](Self::pause) after the creation.
    pub async fn create(client: &Client, settings: &QueueSettings) -> Result<Self, ClientError> {
        let requested_partitions = number(settings.partitions);
        let info = QueueInfo { requested_partitions, ..settings::queue_info(settings)? };
        client.create_queue(&info).await?;
        Ok(client.queue(info.queue_name))
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the settings of the queue, without its letter settings and without its pause.
    pub async fn settings(&self) -> Result<QueueSettings, ClientError> {
        let info = self.client.queue_info(&QueuesInfoRequest { queue_name: self.name.clone() }).await?;
        info.settings().ok_or_else(|| self.not_understood())
    }

    /// Replaces the settings of the queue. Its name, namespace and number of partitions do not change.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub async fn update(&self, settings: &QueueSettings) -> Result<(), ClientError> {
        let queue_name = self.name.clone();
        self.client.update_queue(&QueueInfo { queue_name, ..settings::queue_info(settings)? }).await
    }

    /// Stores items durably: all of them, or none. Returns their ids, in order. A call whose answer was lost is
    /// repeated, and no item is stored twice.
    pub async fn produce(&self, items: &[NewItem]) -> Result<Produced, ClientError> {
        self.put(items, "", None).await
    }

    /// Stores items like [`produce`](Self::produce), under a request id that the caller chooses: if the call is made
    /// again with the same id and items, it stores nothing and returns the same answer. The server keeps the answer for
    /// ten minutes by default.
    pub async fn produce_once(&self, items: &[NewItem], request_id: &str) -> Result<Produced, ClientError> {
        RequestKey::new(request_id, &[], None)?;
        self.put(items, request_id, None).await
    }

    /// Without a request id, the call gets a unique one.
    pub(crate) async fn put(
        &self,
        items: &[NewItem],
        request_id: &str,
        completes: Option<&HeldItem>,
    ) -> Result<Produced, ClientError> {
        item::check_message_ids(items)?;
        let request = QueuePutRequest {
            queue_name: self.name.clone(),
            request_timeout: TIMEOUT.to_owned(),
            items: items.iter().map(item::put_item).collect(),
            request_id: request_id.to_owned(),
            completes: completes.map(item::held_item),
        };
        let produced = item::produced(&self.client.put(&request).await?);
        produced.filter(|produced| produced.items.len() == items.len()).ok_or_else(|| self.not_understood())
    }

    /// Leases items. Waits until one is ready; if none is within the `wait` of the options, the result has no items.
    ///
    /// A dropped future leases nothing: items of an answer in transit are released.
    pub async fn lease(&self, options: &LeaseOptions) -> Result<Leased, ClientError> {
        let LeaseOptions { batch, lease, wait, client_id, notes_receipt } = options;
        LeaseSpec { batch: *batch, lease: *lease, notes_receipt: *notes_receipt }.check()?;
        // Several requests, since the timeout of one request is limited.
        for wait in times_of_wait(*wait) {
            let request = QueueClaimRequest {
                queue_name: self.name.clone(),
                batch_size: number((*batch).min(BATCH_MAX)),
                client_id: client_id.clone().unwrap_or_default(),
                request_timeout: if wait.is_zero() { TIMEOUT.to_owned() } else { wait.to_string() },
                lease_timeout: lease.as_ref().map(Span::to_string).unwrap_or_default(),
                at_once: wait.is_zero(),
                message_id: String::new(),
                notes_receipt: *notes_receipt,
            };
            match claim(&self.client, request).await {
                // Nothing was leased, also if the request timed out in the server.
                Err(error) if error.is_no_items() || error.is_request_timeout() => {}
                // It may be resumed while the next request waits.
                Ok(answer) if answer.is_paused => {}
                answer => return item::leased(answer?).ok_or_else(|| self.not_understood()),
            }
        }
        Ok(Leased { partition: 0, items: Vec::new(), damaged: Vec::new() })
    }

    /// Leases one item by its message id. `None` if there is none, or if it is leased. A dropped future leases nothing, as
    /// that of [`lease`](Self::lease).
    pub(crate) async fn lease_by_message_id(&self, take: LeaseByMessageId) -> Result<Option<StoredItem>, ClientError> {
        take.check()?;
        let request = QueueClaimRequest {
            queue_name: self.name.clone(),
            batch_size: 1,
            client_id: String::new(),
            request_timeout: TIMEOUT.to_owned(),
            lease_timeout: take.lease.as_ref().map(Span::to_string).unwrap_or_default(),
            at_once: true,
            message_id: take.message_id.into(),
            notes_receipt: take.notes_receipt,
        };
        let leased = item::leased(claim(&self.client, request).await?).ok_or_else(|| self.not_understood())?;
        Ok(leased.items.into_iter().next())
    }

    /// Reports the results of leased items. Each item has a separate result, in order.
    ///
    /// More than a thousand items are sent in several requests, one after the other. After an error, the items may be
    /// settled again: those that the server has settled are rejected.
    pub async fn settle(&self, items: &[Settlement]) -> Result<Vec<Result<Settled, Rejection>>, ClientError> {
        self.settle_in(None, items, OnRejected::Continue).await
    }

    /// Completes leased items: [`settle`](Self::settle) for work that has succeeded. It requires the same permission,
    /// `queue.retry`; for a key that has only `queue.complete`, call [`Client::complete`].
    pub async fn complete(&self, ids: &[ItemId]) -> Result<Vec<Result<Settled, Rejection>>, ClientError> {
        let completed = |id: &ItemId| Settlement { id: *id, action: SettleAction::Complete { attempt: None } };
        self.settle(&ids.iter().map(completed).collect::<Vec<_>>()).await
    }

    pub(crate) async fn settle_in(
        &self,
        partition: Option<u32>,
        items: &[Settlement],
        on_rejected: OnRejected,
    ) -> Result<Vec<Result<Settled, Rejection>>, ClientError> {
        let mut answers: Vec<Result<Settled, Rejection>> = Vec::with_capacity(items.len());
        let items = items.iter().map(settlement::settle_item).collect();
        for items in batches::of_settlements(items)? {
            let sent = items.len();
            let request = QueueSettleRequest {
                queue_name: self.name.clone(),
                partition: partition.map(number),
                items,
                stop_at_refused: on_rejected == OnRejected::Stop,
            };
            let settled = match self.client.settle(&request).await {
                Ok(answer) => answer.items.into_iter().map(settlement::settled).collect::<Option<Vec<_>>>(),
                Err(error) => match error.rejection() {
                    // The earlier requests were settled, which the caller must learn.
                    Some(rejection) if !answers.is_empty() => Some(vec![Err(rejection); sent]),
                    _ => return Err(error),
                },
            };
            let settled = settled.ok_or_else(|| self.not_understood())?;
            let is_whole = settled.len() == sent;
            let rejected = settled.iter().position(Result::is_err).filter(|_| on_rejected == OnRejected::Stop);
            answers.extend(settled.into_iter().take(rejected.map_or(sent, |first| first + 1)));
            if rejected.is_some() {
                break;
            }
            if !is_whole {
                return Err(self.not_understood());
            }
        }
        Ok(answers)
    }

    /// Extends leases to `lease` from now, never to an earlier time. Each id has a separate result, in order: its new
    /// deadline.
    pub async fn extend(&self, ids: &[ItemId], lease: Span) -> Result<Vec<Result<Time, Rejection>>, ClientError> {
        self.extend_in(None, ids, Some(lease), false).await
    }

    pub(crate) async fn extend_in(
        &self,
        partition: Option<u32>,
        ids: &[ItemId],
        lease: Option<Span>,
        may_shorten: bool,
    ) -> Result<Vec<Result<Time, Rejection>>, ClientError> {
        let mut answers = Vec::with_capacity(ids.len());
        for ids in ids.chunks(IDS_MAX) {
            let request = QueueExtendRequest {
                queue_name: self.name.clone(),
                partition: partition.map(number),
                ids: ids.iter().map(ToString::to_string).collect(),
                lease_timeout: lease.as_ref().map(Span::to_string).unwrap_or_default(),
                may_shorten,
            };
            let extended = self.client.extend(&request).await?.items;
            let extended = extended.into_iter().map(settlement::extended).collect::<Option<Vec<_>>>();
            let extended = extended.filter(|extended| extended.len() == ids.len());
            answers.extend(extended.ok_or_else(|| self.not_understood())?);
        }
        Ok(answers)
    }

    /// Removes the ready items.
    pub async fn clear(&self) -> Result<(), ClientError> {
        let queue_name = self.name.clone();
        let clear = QueueClearRequest { queue_name, queue: true, ..QueueClearRequest::default() };
        self.client.clear(&clear).await.map(|_| ())
    }

    /// Returns the statistics of the queue.
    pub async fn stats(&self) -> Result<LogicalQueueStats, ClientError> {
        let stats = self.client.stats(&QueueStatsRequest { queue_name: self.name.clone() }).await?;
        stats.logical_queues.into_iter().next().ok_or_else(|| self.not_understood())
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

    fn not_understood(&self) -> ClientError {
        self.client.reader().not_understood("it does not have a valid result for every item")
    }
}
