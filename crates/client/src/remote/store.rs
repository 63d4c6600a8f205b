//! The operations of a store that a source needs, over the API.

use async_trait::async_trait;
use redrive_core::{QueueName, Time};
use redrive_model::{
    Annotate, Archive, Capture, ChangeIfUnchanged, ClaimById, ClaimDue, Clear, CreateQueue, Cursor, DeleteItems,
    DeleteQueue, Edit, Extend, FindLetters, GetCaptureSettings, GetConservation, GetItem, GetKey, GetLetter, GetQueue,
    GetStats, Groups, Import, KeyWrite, Lease, LeaseByMessageId, LeaseSpec, Leased, ListItems, ListLetters, ListQueues,
    Produce, Produced, Purge, QueueSettings, ReadChanges, Reinstate, Rejection, RequestKey, Restore,
    RestoreIfUnchanged, Resume, ScanKeys, Settle, Settled, UpdateQueue, WriteKeys, check_count,
};
use redrive_store::{Op, Perform, Reply, Request, Store, StoreError, dispatch, not_offered};
use tokio_util::sync::CancellationToken;

use crate::{Client, LeaseOptions, Queue};

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

    fn queue(&self, name: &QueueName) -> Queue {
        self.client.queue(name)
    }

    async fn settings(&self, get: GetQueue) -> Result<QueueSettings, StoreError> {
        Ok(self.queue(&get.name).settings().await?)
    }

    async fn put(&self, produce: Produce) -> Result<Produced, StoreError> {
        if produce.completes.is_some() {
            return Err(StoreError::NotOffered("completing an item with a produce"));
        }
        if produce.items.iter().any(|item| item.remember_for.is_some()) {
            return Err(StoreError::NotOffered("remembering message ids"));
        }
        let request_id = produce.request_id.as_deref().map_or("", RequestKey::id);
        Ok(self.queue(&produce.queue).put(&produce.items, request_id).await?)
    }

    async fn claim(&self, lease: Lease) -> Result<Leased, StoreError> {
        let Lease { queue, client_id, spec: LeaseSpec { batch, lease, notes_receipt }, wait } = lease;
        if notes_receipt {
            return Err(StoreError::NotOffered("noting the first delivery"));
        }
        let leased = self.queue(&queue).lease(&LeaseOptions { batch, lease, wait, client_id }).await?;
        if leased.items.is_empty() && leased.damaged.is_empty() { Err(StoreError::TimedOut) } else { Ok(leased) }
    }

    async fn extend_leases(&self, extend: Extend) -> Result<Vec<Result<Time, Rejection>>, StoreError> {
        check_count("ids", extend.ids.len())?;
        if extend.may_shorten {
            return Err(StoreError::NotOffered("shortening leases"));
        }
        Ok(self.queue(&extend.queue).extend_in(extend.partition, &extend.ids, extend.lease).await?)
    }

    async fn report(&self, settle: Settle) -> Result<Vec<Result<Settled, Rejection>>, StoreError> {
        check_count("items", settle.items.len())?;
        Ok(self.queue(&settle.queue).settle_in(settle.partition, &settle.items, settle.on_rejected).await?)
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
    GetQueue => |store, op| store.settings(op) => QueueSettings;
    Produce => |store, op| store.put(op) => Produced;
    Lease => |store, op| store.claim(op) => Leased;
    Extend => |store, op| store.extend_leases(op) => <Extend as Op>::Reply;
    Settle => |store, op| store.report(op) => <Settle as Op>::Reply;
}

not_offered!(RemoteStore: CreateQueue, UpdateQueue, DeleteQueue, ListQueues, GetStats, Clear, Import, DeleteItems,
    LeaseByMessageId, ListItems, GetItem, GetCaptureSettings, Capture, ClaimDue, ClaimById, Archive, Restore, RestoreIfUnchanged, Resume,
    Reinstate,     Edit, Purge, ChangeIfUnchanged, Annotate, GetLetter, ListLetters, FindLetters, Groups, WriteKeys, GetKey, ScanKeys, Cursor,
    ReadChanges, GetConservation);
