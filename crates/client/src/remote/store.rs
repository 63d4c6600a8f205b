//! The operations of a store that a source needs, over the API.

use async_trait::async_trait;
use redrive_core::{QueueName, Span, Time};
use redrive_model::{
    Annotate, Archive, Capture, ChangeIfUnchanged, ClaimById, ClaimDue, Clear, CreateQueue, Cursor, DeleteItems,
    DeleteQueue, Edit, Extend, FindLetters, GetCaptureSettings, GetConservation, GetItem, GetKey, GetLetter, GetQueue,
    GetStats, Groups, Import, KeyWrite, Lease, Leased, ListItems, ListLetters, ListQueues, OnRejected, Produce,
    Produced, Purge, QueueSettings, ReadChanges, Reinstate, Rejection, RequestKey, Restore, ScanKeys, Settle, Settled,
    UpdateQueue, WriteKeys,
};
use redrive_proto::querator::QueuesInfoRequest;
use redrive_proto::redrive::v1::{QueueClaimRequest, QueuePutRequest};
use redrive_store::{Op, Perform, Reply, Request, Store, StoreError, dispatch, not_offered};
use tokio_util::sync::CancellationToken;

use super::batches::{self, check_ids};
use super::claiming::claim;
use super::error::{RequestSubject, not_understood};
use super::item::{claimed, number, produced_item, put_item};
use super::settings::{queue_settings, times_of_wait};
use super::settlement::{extended, settle_item, settled};
use crate::Client;

/// The queues of a server, for a [`StoreQueue`](redrive_run::StoreQueue): see [`remote_queue`](crate::remote_queue).
///
/// It offers what a source and its tests need: the settings of a queue, and producing, leasing, extending and settling
/// items. All other operations return [`StoreError::NotOffered`]; the methods of [`Client`] are for them.
///
/// A wait of less than 10 ms is rounded up to 10 ms. Requests with more than a thousand ids are sent in several requests, one
/// after the other.
#[derive(Debug)]
pub struct RemoteStore {
    client: Client,
    closed: CancellationToken,
}

impl RemoteStore {
    pub fn new(client: Client) -> Self {
        Self { client, closed: CancellationToken::new() }
    }

    async fn settings(&self, queue: &QueueName) -> Result<QueueSettings, StoreError> {
        let request = QueuesInfoRequest { queue_name: queue.to_string() };
        let info = self.client.queue_info(&request).await.map_err(|error| RequestSubject::of(queue).error(error))?;
        queue_settings(&info).ok_or_else(not_understood)
    }

    async fn put(&self, produce: Produce) -> Result<Produced, StoreError> {
        const TIMEOUT: &str = "1m";
        check_ids(produce.items.iter().map(|item| item.message_id.as_deref()))?;
        let request = QueuePutRequest {
            queue_name: produce.queue.to_string(),
            request_timeout: TIMEOUT.to_owned(),
            items: produce.items.iter().map(put_item).collect(),
            request_id: produce.request_id.as_deref().map_or("", RequestKey::id).to_owned(),
        };
        let put = self.client.put(&request).await.map_err(|error| RequestSubject::of(&produce.queue).error(error))?;
        let items = put.items.iter().map(produced_item).collect::<Option<Vec<_>>>();
        let partition = u32::try_from(put.partition).ok();
        match (partition, items) {
            (Some(partition), Some(items)) if items.len() == request.items.len() => Ok(Produced { partition, items }),
            _ => Err(not_understood()),
        }
    }

    /// Waits with several requests, since the timeout of one request is limited.
    async fn claim(&self, lease: Lease) -> Result<Leased, StoreError> {
        lease.spec.check()?;
        let asked = RequestSubject::of(&lease.queue);
        for wait in times_of_wait(lease.wait) {
            let request = QueueClaimRequest {
                queue_name: lease.queue.to_string(),
                batch_size: number(lease.spec.batch.min(batches::BATCH_MAX)),
                client_id: lease.client_id.clone().unwrap_or_default(),
                request_timeout: wait.to_string(),
                lease_timeout: lease.spec.lease.as_ref().map(Span::to_string).unwrap_or_default(),
            };
            match claim(&self.client, request).await {
                Ok(answer) => return claimed(answer).ok_or_else(not_understood),
                // Nothing was leased, also if the request timed out in the server.
                Err(error) if error.is_request_timeout() => {}
                Err(error) => return Err(asked.error(error)),
            }
        }
        Err(StoreError::TimedOut)
    }

    async fn extend_leases(&self, extend: Extend) -> Result<Vec<Result<Time, Rejection>>, StoreError> {
        let asked = RequestSubject::of(&extend.queue);
        let mut answers = Vec::with_capacity(extend.ids.len());
        for request in batches::extensions(&extend)? {
            let extended_items = self.client.extend(&request).await.map_err(|error| asked.error(error))?;
            answers.extend(
                extended_items
                    .items
                    .into_iter()
                    .map(extended)
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(not_understood)?,
            );
        }
        if answers.len() == extend.ids.len() { Ok(answers) } else { Err(not_understood()) }
    }

    async fn report(&self, settle: Settle) -> Result<Vec<Result<Settled, Rejection>>, StoreError> {
        let asked = RequestSubject::of(&settle.queue);
        let items = settle.items.iter().map(settle_item).collect::<Result<_, _>>()?;
        let mut answers: Vec<Result<Settled, Rejection>> = Vec::with_capacity(settle.items.len());
        for request in batches::settlements(&settle, items)? {
            let sent = request.items.len();
            let settled = match self.client.settle(&request).await.map_err(|error| asked.error(error)) {
                Ok(answer) => {
                    answer.items.into_iter().map(settled).collect::<Option<Vec<_>>>().ok_or_else(not_understood)?
                }
                // The earlier requests were settled, which the caller must learn.
                Err(StoreError::Rejected(rejected)) if !answers.is_empty() => vec![Err(rejected); sent],
                Err(error) => return Err(error),
            };
            let is_rejected = settled.iter().any(Result::is_err);
            let is_whole = settled.len() == sent;
            answers.extend(settled);
            if is_rejected && settle.on_rejected == OnRejected::Stop {
                let end = answers.iter().position(Result::is_err).map_or(answers.len(), |first| first + 1);
                answers.truncate(end);
                return Ok(answers);
            }
            if !is_whole {
                return Err(not_understood());
            }
        }
        Ok(answers)
    }
}

#[async_trait]
impl Store for RemoteStore {
    async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        if !along.is_empty() {
            return Err(StoreError::NotOffered("writing keys along"));
        }
        tokio::select! {
            biased;
            () = self.closed.cancelled() => Err(StoreError::Closed),
            reply = dispatch(self, request, along) => reply,
        }
    }

    /// Ends the requests of this instance. It does not stop the server.
    async fn close(&self) -> Result<(), StoreError> {
        self.closed.cancel();
        Ok(())
    }
}

/// Operations that the API offers, each as a method of the remote store.
macro_rules! offered {
    ($($Op:ident => |$store:ident, $op:ident| $call:expr => $Reply:ty;)*) => {
        $(
            impl Perform<$Op> for RemoteStore {
                async fn perform(&self, $op: $Op, _: Vec<KeyWrite>) -> Result<$Reply, StoreError> {
                    let $store = self;
                    $call.await
                }
            }
        )*
    };
}

offered! {
    GetQueue => |store, op| store.settings(&op.name) => QueueSettings;
    Produce => |store, op| store.put(op) => Produced;
    Lease => |store, op| store.claim(op) => Leased;
    Extend => |store, op| store.extend_leases(op) => <Extend as Op>::Reply;
    Settle => |store, op| store.report(op) => <Settle as Op>::Reply;
}

not_offered!(RemoteStore: CreateQueue, UpdateQueue, DeleteQueue, ListQueues, GetStats, Clear, Import, DeleteItems,
    ListItems, GetItem, GetCaptureSettings, Capture, ClaimDue, ClaimById, Archive, Restore, Reinstate, Edit, Purge,
    ChangeIfUnchanged, Annotate, GetLetter, ListLetters, FindLetters, Groups, WriteKeys, GetKey, ScanKeys, Cursor,
    ReadChanges, GetConservation);
