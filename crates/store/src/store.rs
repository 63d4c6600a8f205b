//! The contract.

use std::collections::BTreeSet;
use std::fmt::Debug;

use async_trait::async_trait;
use redrive_core::{ItemId, QueueName, Span, Time};
use redrive_queue::{
    ActOnSeen, Acted, Annotate, Archive, Capture, Captured, Changes, ClaimLetters, Clear, Conservation, CreateQueue,
    Cursor, DeleteItems, DeleteQueue, Edit, Extend, FaultGroup, FindLetters, FoundLetters, GetItem, GetKey, GetLetter,
    GetQueue, Groups, Import, ItemInfo, KeyEntry, KeyWrite, ListItems, ListLetters, ListQueues, Produce, Produced,
    Purge, QueueSettings, QueueStats, Refusal, Reinstate, Reinstated, Restore, ScanKeys, Settle, Settled, Stats,
    UpdateQueue, Verb, WriteKeys,
};

use crate::{
    ChangesRequest, ClaimRequest, FeedPage, LeaseRequest, Leased, LetterRecord, Operation, Reply, Status, StoreError,
    Stored,
};

macro_rules! verb {
    ($store:ident, $operation:expr, $Reply:ident) => {
        match $store.submit($operation, Vec::new()).await? {
            Reply::$Reply(reply) => Ok(reply),
            _ => Err(StoreError::WrongAnswer),
        }
    };
}

/// Where items and letters live.
///
/// Every answer tells of something durable: a produce that was answered survives a crash of the machine, and what
/// a read shows does not vanish. (A store without durability says so where it is made.) Requests are done one
/// after the other, each of them whole or not at all, apart from [`settle`](Store::settle), which works through a
/// list. A request whose future is dropped may still be done; a lease or claim that nobody waits for any more gets
/// nothing, and what it was given before anybody read it goes back untried.
///
/// An implementation has one door, [`submit`](Store::submit); the verbs are what to call.
#[async_trait]
pub trait Store: Debug + Send + Sync {
    /// Does one operation, and in the same unit writes to the key space: both happen, or neither. A lease and a claim
    /// take nothing along.
    async fn submit(&self, operation: Operation, along: Vec<KeyWrite>) -> Result<Reply, StoreError>;

    /// Ends the store: waiting requests are answered with [`StoreError::Closed`], what was answered is safe.
    async fn close(&self) -> Result<(), StoreError>;

    /// How an embedded store fares. Others have their numbers where they are kept.
    fn status(&self) -> Option<Status> {
        None
    }

    /// Whether what it answered survives a crash.
    fn is_durable(&self) -> bool {
        true
    }

    /// Waits until letters were removed because their time was over, and says in which queues. It is told once, to one of
    /// those who wait, and not again after a restart: how many there were, [`stats`](Store::stats) has for good. A store
    /// that leaves the telling to somebody else never answers.
    async fn forgotten(&self) -> BTreeSet<QueueName> {
        std::future::pending().await
    }

    // Queues

    /// Makes a queue. Its dead queue must exist, must not have one itself, and must not be the queue.
    async fn create_queue(&self, settings: QueueSettings) -> Result<QueueSettings, StoreError> {
        verb!(self, Operation::CreateQueue(Box::new(CreateQueue { settings })), Settings).map(|settings| *settings)
    }

    /// Changes settings. New timeouts concern what comes; attempts and dead queue also what is there.
    async fn update_queue(&self, update: UpdateQueue) -> Result<QueueSettings, StoreError> {
        verb!(self, Operation::UpdateQueue(Box::new(update)), Settings).map(|settings| *settings)
    }

    /// Removes a queue with all that is in it. One that is somebody's dead queue only by force.
    async fn delete_queue(&self, name: QueueName, force: bool) -> Result<(), StoreError> {
        self.submit(Operation::DeleteQueue(DeleteQueue { name, force }), Vec::new()).await.map(|_| ())
    }

    /// The settings of a queue.
    async fn queue(&self, name: QueueName) -> Result<QueueSettings, StoreError> {
        verb!(self, Operation::GetQueue(GetQueue { name }), Settings).map(|settings| *settings)
    }

    /// Queues by name.
    async fn queues(&self, list: ListQueues) -> Result<Vec<QueueSettings>, StoreError> {
        verb!(self, Operation::ListQueues(list), Queues)
    }

    /// The numbers of a queue, exact after every operation and at the same cost at any size.
    async fn stats(&self, queue: QueueName) -> Result<QueueStats, StoreError> {
        verb!(self, Operation::Stats(Stats { queue }), Stats).map(|stats| *stats)
    }

    // Items

    /// Puts items into a queue: all of them, into one partition, or none.
    async fn produce(&self, produce: Produce) -> Result<Produced, StoreError> {
        verb!(self, Operation::Produce(produce), Produced)
    }

    /// Takes items to work on. Waits until there is at least one, whatever makes it available; then gives what is
    /// there, up to the batch. Those who wait share fairly.
    ///
    /// Counted as an attempt now: a holder that crashes has used one up.
    async fn lease(&self, lease: LeaseRequest) -> Result<Leased, StoreError> {
        verb!(self, Operation::Lease(lease), Leased)
    }

    /// Moves the deadlines of leases; never to an earlier time. One stale id, and none is moved.
    async fn extend(&self, extend: Extend) -> Result<Vec<Time>, StoreError> {
        verb!(self, Operation::Extend(extend), Deadlines)
    }

    /// Says what became of leased items, in the order given. The first id that is not the caller's ends it; those
    /// before it stay settled, and the answer says how many. A result that comes too late for its letter is refused
    /// like any other, and kept among the attempts of that letter.
    async fn settle(&self, settle: Settle) -> Result<Settled, StoreError> {
        verb!(self, Operation::Settle(settle), Settled)
    }

    /// Settles all items in one way; an error tells of the first that was not, and those before it stay settled.
    async fn settle_all(
        &self,
        queue: QueueName,
        partition: Option<u32>,
        ids: Vec<ItemId>,
        verb: Verb,
    ) -> Result<(), StoreError> {
        match self.settle(Settle::all(queue, partition, ids, &verb)).await?.refused {
            Some(refused) => Err(StoreError::Refused(refused)),
            None => Ok(()),
        }
    }

    /// Completes items: the work is done.
    async fn complete(&self, queue: QueueName, partition: u32, ids: Vec<ItemId>) -> Result<(), StoreError> {
        self.settle_all(queue, Some(partition), ids, Verb::Complete { attempt: None }).await
    }

    /// Gives items back untried; no attempt is spent.
    async fn release(&self, queue: QueueName, partition: u32, ids: Vec<ItemId>) -> Result<(), StoreError> {
        self.settle_all(queue, Some(partition), ids, Verb::Release).await
    }

    /// Empties a queue of what is asked for; gives how many went.
    async fn clear(&self, clear: Clear) -> Result<u64, StoreError> {
        verb!(self, Operation::Clear(clear), Count)
    }

    /// Puts items in as they were somewhere else; those whose source id is there already are passed over.
    async fn import(&self, import: Import) -> Result<Vec<Option<ItemInfo>>, StoreError> {
        verb!(self, Operation::Import(import), Imported)
    }

    /// Removes items in any state; gives how many there were.
    async fn delete_items(&self, delete: DeleteItems) -> Result<u64, StoreError> {
        verb!(self, Operation::DeleteItems(delete), Count)
    }

    /// Items of a partition with their contents, in the order of their ids.
    async fn items(&self, list: ListItems) -> Result<Vec<Stored>, StoreError> {
        verb!(self, Operation::ListItems(list), Items)
    }

    /// One item by its id of today.
    async fn item(&self, queue: QueueName, id: ItemId) -> Result<Stored, StoreError> {
        let items = verb!(self, Operation::GetItem(GetItem { queue, id }), Items)?;
        items.into_iter().next().ok_or(StoreError::Refused(Refusal::NoSuchItem(id)))
    }

    // Letters

    /// Makes letters of failures; one that was told before is not made twice.
    async fn capture(&self, capture: Capture) -> Result<Vec<Captured>, StoreError> {
        verb!(self, Operation::Capture(capture), Captured)
    }

    /// Takes letters whose time has come. Waits for the first, like [`lease`](Store::lease); never gives one early, and
    /// none whose destination is held.
    async fn claim(&self, claim: ClaimRequest) -> Result<Vec<Stored>, StoreError> {
        verb!(self, Operation::Claim(claim), Items)
    }

    /// Takes letters by name, whatever their schedule says. One that is not free refuses all.
    async fn claim_letters(&self, claim: ClaimLetters) -> Result<Vec<Stored>, StoreError> {
        verb!(self, Operation::ClaimLetters(claim), Items)
    }

    /// Puts letters away, from any state; gives how many were not away before.
    async fn archive(&self, archive: Archive) -> Result<u64, StoreError> {
        verb!(self, Operation::Archive(archive), Count)
    }

    /// Brings archived letters back to where they were.
    async fn restore(&self, restore: Restore) -> Result<u64, StoreError> {
        verb!(self, Operation::Restore(restore), Count)
    }

    /// Puts letters back from a copy elsewhere, whole and under their own ids; says of each what became of it. Those that
    /// are there already are left alone, so that an interrupted one can be repeated.
    async fn reinstate(&self, reinstate: Reinstate) -> Result<Vec<Result<Reinstated, Refusal>>, StoreError> {
        verb!(self, Operation::Reinstate(reinstate), Reinstated)
    }

    /// Changes a letter that nobody works on. The original content is kept.
    async fn edit(&self, edit: Edit) -> Result<ItemInfo, StoreError> {
        verb!(self, Operation::Edit(edit), Info).map(|info| *info)
    }

    /// Removes letters for good; gives how many there were.
    async fn purge(&self, purge: Purge) -> Result<u64, StoreError> {
        verb!(self, Operation::Purge(purge), Count)
    }

    /// Archives or removes letters that are as somebody saw them; says of each what became of it.
    async fn act_on_seen(&self, act: ActOnSeen) -> Result<Vec<Acted>, StoreError> {
        verb!(self, Operation::ActOnSeen(act), Acted)
    }

    /// Keeps a note with a letter.
    async fn annotate(&self, annotate: Annotate) -> Result<(), StoreError> {
        self.submit(Operation::Annotate(annotate), Vec::new()).await.map(|_| ())
    }

    /// A letter with everything that is kept about it.
    async fn letter(&self, get: GetLetter) -> Result<LetterRecord, StoreError> {
        verb!(self, Operation::GetLetter(get), Letter).map(|letter| *letter)
    }

    /// Letters with their contents, in the order of their ids.
    async fn letters(&self, list: ListLetters) -> Result<Vec<Stored>, StoreError> {
        verb!(self, Operation::ListLetters(list), Items)
    }

    /// Letters without their contents, by what is known of them without reading: as quick among millions as among few,
    /// where there are few of a kind. A page may be short, and not be the last.
    async fn find_letters(&self, find: FindLetters) -> Result<FoundLetters, StoreError> {
        verb!(self, Operation::FindLetters(find), Found)
    }

    /// The faults that a queue's live letters have.
    async fn faults(&self, groups: Groups) -> Result<Vec<FaultGroup>, StoreError> {
        verb!(self, Operation::Groups(groups), Groups)
    }

    // The key space

    /// Changes entries: all of them, or none when a condition does not hold.
    async fn write_keys(&self, writes: Vec<KeyWrite>) -> Result<(), StoreError> {
        self.submit(Operation::WriteKeys(WriteKeys { writes }), Vec::new()).await.map(|_| ())
    }

    async fn key(&self, get: GetKey) -> Result<Option<KeyEntry>, StoreError> {
        verb!(self, Operation::GetKey(get), Key)
    }

    /// Entries whose keys begin with a prefix, in order.
    async fn keys(&self, scan: ScanKeys) -> Result<Vec<KeyEntry>, StoreError> {
        verb!(self, Operation::ScanKeys(scan), Keys)
    }

    // The feed

    /// Registers a reader of the feed, moves it on, or removes it; gives where it stands.
    async fn cursor(&self, cursor: Cursor) -> Result<u64, StoreError> {
        verb!(self, Operation::Cursor(cursor), Position)
    }

    /// Letters that changed, each once with its newest state.
    async fn changes(&self, changes: Changes) -> Result<FeedPage, StoreError> {
        self.await_changes(ChangesRequest { changes, wait: Span::ZERO }).await
    }

    /// Letters that changed. Waits until there is one, whatever changes it; an empty page when the time is over. A store
    /// in which nothing can change any more says so at once.
    async fn await_changes(&self, request: ChangesRequest) -> Result<FeedPage, StoreError> {
        verb!(self, Operation::Changes(request), Changes)
    }

    /// What came in, what is there, how the rest ended. The sums are equal, always.
    async fn conservation(&self) -> Result<Conservation, StoreError> {
        verb!(self, Operation::Conservation, Conservation)
    }
}
