//! The contract of a store, over the API.

use async_trait::async_trait;
use redrive_core::{QueueName, Span, Time};
use redrive_model::{
    Annotate, Archive, Capture, Captured, ChangeIfUnchanged, ClaimById, ClaimDue, Clear, CreateQueue, Cursor,
    DeleteItems, DeleteQueue, Edit, Extend, FaultGroup, FindLetters, FoundLetters, FullLetter, GetCaptureSettings,
    GetConservation, GetItem, GetKey, GetLetter, GetQueue, GetStats, Groups, Import, ItemInfo, KeyWrite, Lease, Leased,
    ListItems, ListLetters, ListQueues, OnRejected, Produce, Produced, Purge, QueueSettings, QueueStats, ReadChanges,
    Reinstate, Rejection, RequestKey, Restore, ScanKeys, Settle, Settled, StoredItem, UpdateQueue, Which, WriteKeys,
};
use redrive_proto::querator::{
    QueueClearRequest, QueueStatsRequest, QueuesDeleteRequest, QueuesInfoRequest, QueuesListRequest,
    StorageItemsDeleteRequest, StorageItemsImportRequest, StorageItemsListRequest,
};
use redrive_proto::redrive::v1::{QueueClaimRequest, QueuePauseRequest, QueuePutRequest, QueueResumeRequest};
use redrive_store::{Op, Perform, Reply, Request, Store, StoreError, dispatch, not_offered};
use tokio_util::sync::CancellationToken;

use super::batches::{self, check_ids};
use super::claiming::claim;
use super::error::{RequestSubject, not_understood};
use super::item::{
    claimed, import_item, imported, item_id, number, produced_item, put_item, queue_stats, storage_stored,
};
use super::settings::{merged, queue_info, queue_settings, times_of_wait};
use super::settlement::{extended, settle_item, settled};
use crate::Client;

/// A server takes no larger limit of a list.
const LIST_MAX: usize = 65_536;

/// The queues of a server, by the contract of a [`Store`].
///
/// It does what the API offers: making, changing, removing and showing queues, everything about items, and what people
/// do with letters. The rest (claims of letters and their loss, the key space, the feed, one item by its id, keys along with an
/// operation) answers [`StoreError::NotOffered`]. Where the API says less than a store knows, it says less:
///
/// - of settings, those about letters and whether a queue is paused are not told; the partitions are those that were last
///   asked for;
/// - of numbers, there are those of the partitions and of who waits;
/// - listed items have no key, no headers, no deliveries, and their id of today for the first one; items with a key,
///   headers or a priority cannot be imported;
/// - how many were cleared or deleted is what the queue's numbers say: exact as long as nobody else works on it;
/// - an update reads what it is to keep before it writes, so of two at once the later one wins;
/// - a captured failure is classified by the server: its category, policy and retries are those that are given, its rule
///   and fingerprint those that the server finds in the error's text and type ([`RemoteLetterBox`](crate::RemoteLetterBox)
///   sends all that is known of a failure); who submitted it is who the key
///   says; when the attempt began, and how it ended but as a failure, is not told. A policy of the letter's own, and the
///   death of an item, cannot be told at all;
/// - a letter's payload is shown to whoever says [why](Client::because): without it, one letter, a list of them, and an
///   edit of a content are not offered. Each letter that is shown is recorded by the server;
/// - of a letter's item, its place and attempts are not told, its id of today is the letter's, it was created when it
///   failed first; a letter that was claimed or archived tells what it was before, and not when it was due;
/// - an edit changes payload and headers, not kind, encoding, reference or key; one that somebody else came before is
///   refused;
/// - notes are texts; their tags, author and time are not shown.
///
/// A wait of less than 10 ms is one of 10 ms. Lists of more than a thousand ids are sent in pieces, one after the other.
#[derive(Debug)]
pub struct RemoteStore {
    pub(super) client: Client,
    closed: CancellationToken,
}

impl RemoteStore {
    pub fn new(client: Client) -> Self {
        Self { client, closed: CancellationToken::new() }
    }

    async fn create(&self, settings: QueueSettings) -> Result<QueueSettings, StoreError> {
        if settings.letters != redrive_model::LetterOverrides::default() {
            return Err(StoreError::NotOffered("a queue with settings of its own for letters"));
        }
        let asked = RequestSubject::of(&settings.name);
        self.client.create_queue(&queue_info(&settings)).await.map_err(|error| asked.error(error))?;
        if settings.is_paused {
            self.pause(&settings.name, true).await?;
        }
        let made = self.settings(&settings.name).await?;
        Ok(QueueSettings { is_paused: settings.is_paused, ..made })
    }

    async fn update(&self, update: UpdateQueue) -> Result<QueueSettings, StoreError> {
        if update.letters.is_some() {
            return Err(StoreError::NotOffered("a change of the settings for letters"));
        }
        let asked = RequestSubject::of(&update.name);
        let before = self.settings(&update.name).await?;
        self.client.update_queue(&merged(before, &update)).await.map_err(|error| asked.error(error))?;
        if let Some(is_paused) = update.is_paused {
            self.pause(&update.name, is_paused).await?;
        }
        let is_paused = update.is_paused.unwrap_or_default();
        let now = self.settings(&update.name).await?;
        Ok(QueueSettings { is_paused, ..now })
    }

    async fn delete(&self, delete: DeleteQueue) -> Result<(), StoreError> {
        let asked = RequestSubject::of(&delete.name);
        let request = QueuesDeleteRequest { queue_name: delete.name.to_string(), force: delete.force };
        self.client.delete_queue(&request).await.map_err(|error| asked.error(error))
    }

    async fn pause(&self, queue: &QueueName, is_paused: bool) -> Result<(), StoreError> {
        let queue_name = queue.to_string();
        let done = if is_paused {
            self.client.pause(&QueuePauseRequest { queue_name }).await
        } else {
            self.client.resume(&QueueResumeRequest { queue_name }).await
        };
        done.map_err(|error| RequestSubject::of(queue).error(error))
    }

    async fn settings(&self, queue: &QueueName) -> Result<QueueSettings, StoreError> {
        let request = QueuesInfoRequest { queue_name: queue.to_string() };
        let info = self.client.queue_info(&request).await.map_err(|error| RequestSubject::of(queue).error(error))?;
        queue_settings(&info).ok_or_else(not_understood)
    }

    async fn list_queues(&self, list: ListQueues) -> Result<Vec<QueueSettings>, StoreError> {
        let namespace = list.namespace.ok_or(StoreError::NotOffered("a list of the queues of all namespaces"))?;
        let namespace = namespace.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut pivot = list.pivot.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut found = Vec::new();
        while found.len() < list.limit {
            let limit = number((list.limit - found.len()).min(LIST_MAX));
            let request = QueuesListRequest { pivot, limit, namespace: namespace.clone() };
            let page =
                self.client.list_queues(&request).await.map_err(|error| RequestSubject::nothing().error(error))?;
            // A server may give less than there is; this is the first name that can follow.
            let Some(last) = page.items.last() else { break };
            pivot = format!("{}\0", last.queue_name);
            for info in &page.items {
                found.push(queue_settings(info).ok_or_else(not_understood)?);
            }
        }
        Ok(found)
    }

    async fn numbers(&self, queue: &QueueName) -> Result<QueueStats, StoreError> {
        let request = QueueStatsRequest { queue_name: queue.to_string() };
        let stats = self.client.stats(&request).await.map_err(|error| RequestSubject::of(queue).error(error))?;
        queue_stats(&stats).ok_or_else(not_understood)
    }

    async fn put(&self, produce: Produce) -> Result<Produced, StoreError> {
        /// How long a server may take for it.
        const WAIT: &str = "1m";
        check_ids(produce.items.iter().map(|item| item.message_id.as_deref()))?;
        let request = QueuePutRequest {
            queue_name: produce.queue.to_string(),
            request_timeout: WAIT.to_owned(),
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

    /// Waits piece by piece: a request may not wait for as long as a lease may.
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
                // Also where it was the server that lost patience with its store: nothing was taken.
                Err(error) if error.is_request_timeout() => {}
                Err(error) => return Err(asked.error(error)),
            }
        }
        Err(StoreError::TimedOut)
    }

    async fn move_on(&self, extend: Extend) -> Result<Vec<Result<Time, Rejection>>, StoreError> {
        let asked = RequestSubject::of(&extend.queue);
        let mut answers = Vec::with_capacity(extend.ids.len());
        for request in batches::extensions(&extend)? {
            let moved = self.client.extend(&request).await.map_err(|error| asked.error(error))?;
            answers
                .extend(moved.items.into_iter().map(extended).collect::<Option<Vec<_>>>().ok_or_else(not_understood)?);
        }
        if answers.len() == extend.ids.len() { Ok(answers) } else { Err(not_understood()) }
    }

    async fn finish(&self, settle: Settle) -> Result<Vec<Result<Settled, Rejection>>, StoreError> {
        let asked = RequestSubject::of(&settle.queue);
        let items = settle.items.iter().map(settle_item).collect::<Result<_, _>>()?;
        let mut answers: Vec<Result<Settled, Rejection>> = Vec::with_capacity(settle.items.len());
        for request in batches::settlements(&settle, items)? {
            let sent = request.items.len();
            let settled = match self.client.settle(&request).await.map_err(|error| asked.error(error)) {
                Ok(answer) => {
                    answer.items.into_iter().map(settled).collect::<Option<Vec<_>>>().ok_or_else(not_understood)?
                }
                // Those before are settled, and their holder is to know.
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

    async fn empty(&self, clear: Clear) -> Result<u64, StoreError> {
        let stats = self.numbers(&clear.queue).await?;
        let of = |is_wanted: bool, count: u64| if is_wanted { count } else { 0 };
        let cleared = stats.partitions.iter().map(|partition| {
            of(clear.ready, partition.total.saturating_sub(partition.leased))
                + of(clear.ready && clear.destructive, partition.leased)
                + of(clear.scheduled, partition.scheduled)
        });
        let request = QueueClearRequest {
            queue_name: clear.queue.to_string(),
            scheduled: clear.scheduled,
            queue: clear.ready,
            destructive: clear.destructive,
        };
        self.client.clear(&request).await.map_err(|error| RequestSubject::of(&clear.queue).error(error))?;
        Ok(cleared.sum())
    }

    async fn bring(&self, import: Import) -> Result<Vec<Option<ItemInfo>>, StoreError> {
        check_ids(import.items.iter().map(|item| item.source_id.as_deref()))?;
        let items = import.items.iter().map(import_item).collect::<Option<Vec<_>>>();
        let items = items.ok_or(StoreError::NotOffered("an import with keys, headers or priorities"))?;
        let partition = number(import.partition);
        let request = StorageItemsImportRequest { queue_name: import.queue.to_string(), partition, items };
        let answer = self.client.import_items(&request).await;
        let answer = answer.map_err(|error| RequestSubject::of(&import.queue).error(error))?;
        imported(&import, answer.items).ok_or_else(not_understood)
    }

    async fn remove(&self, delete: DeleteItems) -> Result<u64, StoreError> {
        let asked = RequestSubject::of(&delete.queue);
        let before = self.present(&delete.queue).await?;
        for ids in batches::of_ids(&delete.ids)? {
            let request = StorageItemsDeleteRequest {
                queue_name: delete.queue.to_string(),
                partition: number(delete.partition),
                ids,
            };
            self.client.delete_items(&request).await.map_err(|error| asked.error(error))?;
        }
        Ok(before.saturating_sub(self.present(&delete.queue).await?).min(delete.ids.len() as u64))
    }

    /// How many items there are.
    async fn present(&self, queue: &QueueName) -> Result<u64, StoreError> {
        let stats = self.numbers(queue).await?;
        Ok(stats.partitions.iter().map(|partition| partition.total + partition.scheduled).sum())
    }

    async fn list_items(&self, list: ListItems) -> Result<Vec<StoredItem>, StoreError> {
        if list.limit == 0 {
            return Ok(Vec::new());
        }
        let request = |pivot: String, limit: usize| StorageItemsListRequest {
            queue_name: list.queue.to_string(),
            partition: number(list.partition),
            pivot,
            limit: number(limit),
        };
        let mut found: Vec<StoredItem> = Vec::new();
        let mut pivot = list.pivot.map(|pivot| pivot.to_string()).unwrap_or_default();
        loop {
            // A server may give less than there is; each page then begins with the last item of the one before.
            let seen = usize::from(!found.is_empty());
            let request = request(pivot, (list.limit - found.len()).saturating_add(seen).min(LIST_MAX));
            let page = match list.which {
                Which::Items => self.client.list_items(&request).await,
                Which::Scheduled => self.client.list_scheduled(&request).await,
                Which::Damaged => self.client.list_damaged(&request).await,
            };
            let page = page.map_err(|error| RequestSubject::of(&list.queue).error(error))?.items;
            let last = found.last().map(|item| item.info.id);
            let before = found.len();
            for item in page {
                if item_id(&item.id).is_some_and(|id| last.is_none_or(|last| last < id)) {
                    found.push(storage_stored(item, list.partition).ok_or_else(not_understood)?);
                }
            }
            match found.last() {
                Some(item) if found.len() > before && found.len() < list.limit => pivot = item.info.id.to_string(),
                _ => return Ok(found),
            }
        }
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

    /// Ends this view of the server. The server goes on.
    async fn close(&self) -> Result<(), StoreError> {
        self.closed.cancel();
        Ok(())
    }
}

/// Operations that the API offers, each by a method of the remote store.
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
    CreateQueue => |store, op| store.create(op.settings) => QueueSettings;
    UpdateQueue => |store, op| store.update(op) => QueueSettings;
    DeleteQueue => |store, op| store.delete(op) => ();
    GetQueue => |store, op| store.settings(&op.name) => QueueSettings;
    ListQueues => |store, op| store.list_queues(op) => Vec<QueueSettings>;
    GetStats => |store, op| store.numbers(&op.queue) => QueueStats;
    Produce => |store, op| store.put(op) => Produced;
    Lease => |store, op| store.claim(op) => Leased;
    Extend => |store, op| store.move_on(op) => <Extend as Op>::Reply;
    Settle => |store, op| store.finish(op) => <Settle as Op>::Reply;
    Clear => |store, op| store.empty(op) => u64;
    Import => |store, op| store.bring(op) => Vec<Option<ItemInfo>>;
    DeleteItems => |store, op| store.remove(op) => u64;
    ListItems => |store, op| store.list_items(op) => Vec<StoredItem>;
    Capture => |store, op| store.capture(op) => Vec<Captured>;
    Archive => |store, op| store.put_away(op) => u64;
    Restore => |store, op| store.bring_back(op) => u64;
    Edit => |store, op| store.edit(op) => ItemInfo;
    Purge => |store, op| store.purge(op) => u64;
    Annotate => |store, op| store.annotate(op) => ();
    GetLetter => |store, op| store.letter(op) => FullLetter;
    ListLetters => |store, op| store.list_letters(op) => Vec<StoredItem>;
    Groups => |store, op| store.faults(op) => Vec<FaultGroup>;
    FindLetters => |store, op| store.find_letters(op) => FoundLetters;
}

not_offered!(RemoteStore: GetCaptureSettings, GetItem, ClaimDue, ClaimById, Reinstate, ChangeIfUnchanged, WriteKeys, GetKey, ScanKeys, Cursor,
    ReadChanges, GetConservation);
