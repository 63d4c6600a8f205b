//! The operations of a store, as one list.
//!
//! Every operation stands here once: the request, the reply, whether it reads, writes or frees space, and what it
//! promises. The list makes [`Request`], [`Reply`], the typed verbs of [`Store`] and [`dispatch`]; a store adds one
//! [`Perform`] for each operation. [`operations!`](crate::operations) passes the list to a macro of another crate.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::future::Future;

use crate::{StoreError, StoreStatus};
use async_trait::async_trait;
use redrive_core::{ItemId, QueueName, Time};
use redrive_model::{
    Annotate, Archive, BulkResult, Capture, CaptureSettings, Captured, ChangeIfUnchanged, ClaimById, ClaimDue, Claimed,
    Clear, Conservation, CreateQueue, Cursor, DeleteItems, DeleteQueue, Edit, Extend, FaultGroup, FeedPage,
    FindLetters, FoundLetters, FullLetter, GetCaptureSettings, GetConservation, GetItem, GetKey, GetLetter, GetQueue,
    GetStats, Groups, Import, ItemInfo, KeyEntry, KeyWrite, Lease, Leased, ListItems, ListLetters, ListQueues,
    OnRejected, Produce, Produced, Purge, QueueSettings, QueueStats, ReadChanges, Reinstate, Reinstated, Rejection,
    Restore, ScanKeys, Settle, SettleAction, Settled, StoredItem, UpdateQueue, WriteKeys, first_rejection,
};

/// What an operation does to the disk of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpKind {
    /// It changes nothing.
    Read,
    Write,
    /// It lets records be dropped: it is done on a full disk, too.
    Frees,
    /// It frees nothing itself, and lets its caller free something later: a lease comes before a complete.
    Prepares,
}

/// One operation of the contract.
pub trait Op: Into<Request> + Send {
    type Reply: Send;
    const NAME: &'static str;
    const KIND: OpKind;

    /// The reply in its envelope.
    fn wrap(reply: Self::Reply) -> Reply;
    /// The reply out of its envelope; `None` where it is that of another operation.
    fn unwrap(reply: Reply) -> Option<Self::Reply>;
}

/// An operation that can write keys in the same unit. A request that waits cannot.
pub trait Transactional: Op {}

/// How a store does one operation: with the keys that come along, both or neither.
pub trait Perform<O: Op> {
    fn perform(&self, op: O, along: Vec<KeyWrite>) -> impl Future<Output = Result<O::Reply, StoreError>> + Send;
}

/// Passes the list of all operations to a macro: `Name verb -> Reply, inline|boxed, OpKind, at_once|waits;`. Where the
/// operation or its reply is large, both are boxed in their envelopes.
#[macro_export]
macro_rules! operations {
    ($callback:ident) => {
        $callback! {
            // Queues and items

            /// Makes a queue. Its dead queue must exist, must not have one itself, and must not be the queue.
            CreateQueue create_queue -> QueueSettings, boxed, Write, at_once;
            /// Changes settings. New timeouts apply to later leases and items; attempts and dead queue to all.
            UpdateQueue update_queue -> QueueSettings, boxed, Write, at_once;
            /// Removes a queue with all its items. One that is another queue's dead queue only by force.
            DeleteQueue delete_queue -> (), inline, Frees, at_once;
            /// The settings of a queue.
            GetQueue queue -> QueueSettings, boxed, Read, at_once;
            /// Queues by name.
            ListQueues queues -> Vec<QueueSettings>, inline, Read, at_once;
            /// The numbers of a queue, exact after every operation and at the same cost at any size.
            GetStats stats -> QueueStats, boxed, Read, at_once;
            /// Puts items into a queue: all of them, into one partition, or none. The answer of a request with an id is
            /// remembered with the items for ten minutes, unless the store is set up otherwise: the same request is answered
            /// with it again.
            Produce produce -> Produced, inline, Write, at_once;
            /// Leases items. The attempt is counted now: a holder that crashes has used one.
            Lease lease -> Leased, inline, Prepares, waits;
            /// Moves the deadlines of leases, never to an earlier time. Each id gets its own answer.
            Extend extend -> Vec<Result<Time, Rejection>>, inline, Prepares, at_once;
            /// Reports what became of leased items, in the order given. Each item gets its own answer.
            Settle settle -> Vec<Result<Settled, Rejection>>, inline, Frees, at_once;
            /// Removes all items in some states; gives how many.
            Clear clear -> u64, inline, Frees, at_once;
            /// Puts items in as they were elsewhere; `None` for those whose source id is there already.
            Import import -> Vec<Option<ItemInfo>>, inline, Write, at_once;
            /// Removes items in any state; gives how many there were.
            DeleteItems delete_items -> u64, inline, Frees, at_once;
            /// Items of a partition with their contents, in the order of their ids.
            ListItems items -> Vec<StoredItem>, inline, Read, at_once;
            /// One item by its current id.
            GetItem item -> StoredItem, boxed, Read, at_once;

            // Letters

            /// The settings by which failures are assessed before they are captured.
            GetCaptureSettings capture_settings -> CaptureSettings, inline, Read, at_once;
            /// Makes letters of failures. A failure that was captured before is recognised.
            Capture capture -> Vec<Captured>, inline, Write, at_once;
            /// Claims letters whose time has come.
            ClaimDue claim_due -> Claimed, inline, Prepares, waits;
            /// Claims letters by their ids, whatever their schedule says: all of them, or none.
            ClaimById claim_by_id -> Claimed, inline, Prepares, at_once;
            /// Archives letters in any state; gives how many were not archived before.
            Archive archive -> u64, inline, Frees, at_once;
            /// Brings archived letters back to where they were; gives how many.
            Restore restore -> u64, inline, Write, at_once;
            /// Puts letters back from a copy elsewhere, whole and under their own ids. Each letter gets its own answer; those
            /// that are there already stay, so that an interrupted request can be repeated.
            Reinstate reinstate -> Vec<Result<Reinstated, Rejection>>, inline, Write, at_once;
            /// Changes a letter that is not claimed. The original content is kept.
            Edit edit -> ItemInfo, boxed, Write, at_once;
            /// Removes letters for good; gives how many there were.
            Purge purge -> u64, inline, Frees, at_once;
            /// Archives or removes letters that are still as the caller saw them. Each letter gets its own answer.
            ChangeIfUnchanged change_if_unchanged -> Vec<BulkResult>, inline, Frees, at_once;
            /// Keeps a note with a letter.
            Annotate annotate -> (), inline, Write, at_once;
            /// A letter with everything that is kept about it.
            GetLetter letter -> FullLetter, boxed, Read, at_once;
            /// Letters with their contents, in the order of their ids.
            ListLetters letters -> Vec<StoredItem>, inline, Read, at_once;
            /// Letters without their contents, by what is indexed. A page may be short without being the last.
            FindLetters find_letters -> FoundLetters, inline, Read, at_once;
            /// The failures of a queue's live letters, grouped by fingerprint.
            Groups faults -> Vec<FaultGroup>, inline, Read, at_once;

            // The key space

            /// Changes entries: all of them, or none when a condition does not hold.
            WriteKeys write_keys -> (), inline, Write, at_once;
            GetKey key -> Option<KeyEntry>, inline, Read, at_once;
            /// Entries whose keys begin with a prefix, in order.
            ScanKeys keys -> Vec<KeyEntry>, inline, Read, at_once;

            // The feed

            /// Registers a reader of the feed, moves it on, or removes it; gives its position.
            Cursor cursor -> u64, inline, Write, at_once;
            /// Letters that changed, each once with its newest state. Waits until there is one; an empty page when the time
            /// is over. A store in which nothing can change any more says so at once.
            ReadChanges changes -> FeedPage, inline, Read, waits;

            /// What arrived, what exists and how the rest ended. The sums are equal, always.
            GetConservation conservation -> Conservation, inline, Read, at_once;
        }
    };
}

/// How an operation and its reply are held in their envelopes.
macro_rules! held {
    (inline, $Reply:ty) => { $Reply };
    (boxed, $Reply:ty) => { Box<$Reply> };
    (inline => $reply:expr) => { $reply };
    (boxed => $reply:expr) => { Box::new($reply) };
    (inline <= $reply:expr) => { $reply };
    (boxed <= $reply:expr) => { *$reply };
}

macro_rules! transactional {
    ($Op:ident, at_once) => {
        impl Transactional for $Op {}
    };
    ($Op:ident, waits) => {};
}

macro_rules! contract {
    ($($(#[$doc:meta])* $Op:ident $verb:ident -> $Reply:ty, $held:ident, $kind:ident, $waits:ident;)*) => {
        /// A request to a store: one operation as a value.
        #[derive(Debug, Clone)]
        pub enum Request {
            $($Op(held!($held, $Op)),)*
        }

        /// The reply to a request, of the same name.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Reply {
            $($Op(held!($held, $Reply)),)*
        }

        impl Request {
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$Op(_) => stringify!($verb),)*
                }
            }

            pub const fn kind(&self) -> OpKind {
                match self {
                    $(Self::$Op(_) => OpKind::$kind,)*
                }
            }
        }

        $(
            impl From<$Op> for Request {
                fn from(op: $Op) -> Self {
                    Self::$Op(held!($held => op))
                }
            }

            impl Op for $Op {
                type Reply = $Reply;
                const NAME: &'static str = stringify!($verb);
                const KIND: OpKind = OpKind::$kind;

                fn wrap(reply: $Reply) -> Reply {
                    Reply::$Op(held!($held => reply))
                }

                fn unwrap(reply: Reply) -> Option<$Reply> {
                    match reply {
                        Reply::$Op(reply) => Some(held!($held <= reply)),
                        _ => None,
                    }
                }
            }

            transactional!($Op, $waits);
        )*

        /// Does a request with a store's own implementations of the operations.
        pub async fn dispatch<S>(store: &S, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError>
        where
            S: $(Perform<$Op> +)* Sync,
        {
            match request {
                $(Request::$Op(op) => store.perform(held!($held <= op), along).await.map($Op::wrap),)*
            }
        }

        /// Where items and letters live.
        ///
        /// Every reply is about something durable: a produce that was answered survives a crash of the machine, and what a
        /// read shows does not vanish. (A store without durability says so where it is made.) Requests are done one after
        /// the other, each of them whole or not at all, apart from those that answer item by item. A request whose future
        /// is dropped may still be done; a lease or claim whose caller is gone gets nothing, and what it was given before
        /// its reply was read is released.
        ///
        /// An implementation has one entry point, [`submit`](Store::submit); the verbs are what to call.
        #[async_trait]
        pub trait Store: Debug + Send + Sync {
            /// Does one request, and in the same unit writes to the key space: both happen, or neither. A request that waits
            /// takes no keys along.
            async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError>;

            /// Ends the store: waiting requests are answered with [`StoreError::Closed`], what was answered is safe.
            async fn close(&self) -> Result<(), StoreError>;

            /// The condition of an embedded store. Others have their numbers where they are kept.
            fn status(&self) -> Option<StoreStatus> {
                None
            }

            /// Whether what it answered survives a crash.
            fn is_durable(&self) -> bool {
                true
            }

            /// Waits until letters were removed because their retention was over, and gives their queues. Each notice goes to
            /// one caller, and not again after a restart: how many there were is in [`stats`](Store::stats) for good. A store
            /// that leaves the notices to another one never answers.
            async fn retention_notices(&self) -> BTreeSet<QueueName> {
                std::future::pending().await
            }

            $(
                $(#[$doc])*
                async fn $verb(&self, op: $Op) -> Result<$Reply, StoreError> {
                    let reply = self.submit(op.into(), Vec::new()).await?;
                    $Op::unwrap(reply).ok_or(StoreError::WrongAnswer)
                }
            )*

            /// Settles all items in one way, up to the first that is rejected, which the error names.
            async fn settle_all(
                &self,
                queue: QueueName,
                partition: Option<u32>,
                ids: Vec<ItemId>,
                action: SettleAction,
            ) -> Result<(), StoreError> {
                let settle = Settle { on_rejected: OnRejected::Stop, ..Settle::all(queue, partition, ids, &action) };
                let answers = self.settle(settle).await?;
                first_rejection(&answers).map_or(Ok(()), |rejection| Err(StoreError::Rejected(rejection.clone())))
            }

            /// Completes items: the work is done.
            async fn complete(&self, queue: QueueName, partition: u32, ids: Vec<ItemId>) -> Result<(), StoreError> {
                self.settle_all(queue, Some(partition), ids, SettleAction::Complete { attempt: None }).await
            }

            /// Gives items back untried; no attempt is spent.
            async fn release(&self, queue: QueueName, partition: u32, ids: Vec<ItemId>) -> Result<(), StoreError> {
                self.settle_all(queue, Some(partition), ids, SettleAction::Release).await
            }
        }
    };
}

operations!(contract);

impl dyn Store + '_ {
    /// Does an operation and writes keys in the same unit: both happen, or neither.
    pub async fn with_keys<O: Transactional>(&self, op: O, along: Vec<KeyWrite>) -> Result<O::Reply, StoreError> {
        let reply = self.submit(op.into(), along).await?;
        O::unwrap(reply).ok_or(StoreError::WrongAnswer)
    }
}

/// Says of which operations a store offers none.
#[macro_export]
macro_rules! not_offered {
    ($Store:ty: $($Op:ident),* $(,)?) => {
        $(
            impl $crate::Perform<$Op> for $Store {
                async fn perform(
                    &self,
                    _: $Op,
                    _: Vec<::redrive_model::KeyWrite>,
                ) -> Result<<$Op as $crate::Op>::Reply, $crate::StoreError> {
                    Err($crate::StoreError::NotOffered(<$Op as $crate::Op>::NAME))
                }
            }
        )*
    };
}
