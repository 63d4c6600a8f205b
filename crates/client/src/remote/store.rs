//! The operations of a store that sources and mailboxes need, over the API.

use async_trait::async_trait;
use redrive_core::{QueueName, Time};
use redrive_model::{
    Annotate, Archive, Capture, ChangeIfUnchanged, ClaimById, ClaimDue, Clear, CreateQueue, Cursor, DeleteItems,
    DeleteQueue, Edit, Extend, FindLetters, GetCaptureSettings, GetConservation, GetItem, GetKey, GetLetter, GetQueue,
    GetStats, Groups, HandBackLetters, Import, ItemListKind, KeyWrite, Lease, LeaseByMessageId, LeaseSpec, Leased,
    ListItems, ListLetters, ListQueues, Produce, Produced, Purge, QueueSettings, QueueStats, ReadChanges, Reinstate,
    Rejection, RequestKey, Restore, RestoreIfUnchanged, Resume, ScanKeys, Settle, Settled, StoredItem, UpdateQueue,
    WriteKeys, check_count,
};
use redrive_proto::querator::{QueueClearRequest, StorageItemsListRequest};
use redrive_store::{Op, Perform, Reply, Request, Store, StoreError, dispatch, not_offered};
use tokio_util::sync::CancellationToken;

use crate::wire::{item, number, stats};
use crate::{Client, LeaseOptions, Queue};

/// The queues of a server, for a [`StoreQueue`](redrive_run::StoreQueue) (see [`remote_queue`](crate::remote_queue)) and
/// for mailboxes.
///
/// It offers what sources and mailboxes need: creating queues, their settings and their statistics; producing, leasing,
/// extending, settling, listing and clearing items. All other operations return [`StoreError::NotOffered`]; the methods of
/// [`Client`] are for them.
///
/// - Statistics contain the numbers of items and of waiting requests. Their other fields are those of an empty queue.
/// - A list of items is one of items in every state, has at most 65 536 of them, and shows a letter as an item.
/// - A wait of less than 10 ms, except zero, is rounded up to 10 ms.
/// - Requests with more than a thousand ids are sent in several requests, one after the other.
#[derive(Debug)]
pub struct RemoteStore {
    client: Client,
    closed: CancellationToken,
}

/// The most items of one list.
const LIST_MAX: usize = 65_536;

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

    async fn create(&self, create: CreateQueue) -> Result<QueueSettings, StoreError> {
        Ok(Queue::create(&self.client, &create.settings).await?.settings().await?)
    }

    async fn statistics(&self, get: GetStats) -> Result<QueueStats, StoreError> {
        let stats = self.queue(&get.queue).stats().await?;
        stats::queue_stats(&stats).ok_or(StoreError::WrongAnswer)
    }

    async fn put(&self, produce: Produce) -> Result<Produced, StoreError> {
        produce.check()?;
        let request_id = produce.request_id.as_deref().map_or("", RequestKey::id);
        Ok(self.queue(&produce.queue).put(&produce.items, request_id, produce.completes.as_deref()).await?)
    }

    async fn claim(&self, lease: Lease) -> Result<Leased, StoreError> {
        let Lease { queue, client_id, spec: LeaseSpec { batch, lease, notes_receipt }, wait } = lease;
        let options = LeaseOptions { batch, lease, wait, client_id, notes_receipt };
        let leased = self.queue(&queue).lease(&options).await?;
        if leased.items.is_empty() && leased.damaged.is_empty() { Err(StoreError::TimedOut) } else { Ok(leased) }
    }

    async fn take(&self, take: LeaseByMessageId) -> Result<Option<Box<StoredItem>>, StoreError> {
        Ok(self.queue(&take.queue.clone()).lease_by_message_id(take).await?.map(Box::new))
    }

    async fn extend_leases(&self, extend: Extend) -> Result<Vec<Result<Time, Rejection>>, StoreError> {
        check_count("ids", extend.ids.len())?;
        let Extend { queue, partition, ids, lease, may_shorten } = extend;
        Ok(self.queue(&queue).extend_in(partition, &ids, lease, may_shorten).await?)
    }

    async fn report(&self, settle: Settle) -> Result<Vec<Result<Settled, Rejection>>, StoreError> {
        check_count("items", settle.items.len())?;
        Ok(self.queue(&settle.queue).settle_in(settle.partition, &settle.items, settle.on_rejected).await?)
    }

    async fn clear_items(&self, clear: Clear) -> Result<u64, StoreError> {
        let request = QueueClearRequest {
            queue_name: clear.queue.to_string(),
            queue: clear.ready,
            destructive: clear.destructive,
            scheduled: clear.scheduled,
        };
        let cleared = self.client.clear(&request).await?;
        cleared.map(|cleared| cleared.items).ok_or(StoreError::WrongAnswer)
    }

    async fn list(&self, list: ListItems) -> Result<Vec<StoredItem>, StoreError> {
        if list.which != ItemListKind::All {
            return Err(StoreError::NotOffered("listing the items of one state"));
        }
        if list.limit == 0 {
            return Ok(Vec::new());
        }
        let request = StorageItemsListRequest {
            queue_name: list.queue.to_string(),
            partition: number(list.partition),
            pivot: list.pivot.map(|pivot| pivot.to_string()).unwrap_or_default(),
            limit: number(list.limit.min(LIST_MAX)),
            extended: true,
        };
        let items = self
            .client
            .list_items(&request)
            .await?
            .items
            .into_iter()
            .map(|item| item::listed_item(item, list.partition));
        items.collect::<Option<_>>().ok_or(StoreError::WrongAnswer)
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
    CreateQueue => |store, op| store.create(op) => QueueSettings;
    GetQueue => |store, op| store.settings(op) => QueueSettings;
    GetStats => |store, op| store.statistics(op) => QueueStats;
    Produce => |store, op| store.put(op) => Produced;
    Lease => |store, op| store.claim(op) => Leased;
    LeaseByMessageId => |store, op| store.take(op) => Option<Box<StoredItem>>;
    Extend => |store, op| store.extend_leases(op) => <Extend as Op>::Reply;
    Settle => |store, op| store.report(op) => <Settle as Op>::Reply;
    Clear => |store, op| store.clear_items(op) => u64;
    ListItems => |store, op| store.list(op) => Vec<StoredItem>;
}

not_offered!(RemoteStore: UpdateQueue, DeleteQueue, ListQueues, Import, DeleteItems, GetItem, GetCaptureSettings,
    Capture, ClaimDue, ClaimById, Archive, Restore, RestoreIfUnchanged, Resume, HandBackLetters, Reinstate, Edit, Purge, ChangeIfUnchanged, Annotate, GetLetter, ListLetters, FindLetters, Groups, WriteKeys, GetKey, ScanKeys, Cursor,
    ReadChanges, GetConservation);
