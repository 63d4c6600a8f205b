//! The operations of a store, as one list.
//!
//! Every operation is listed here once: the request, the reply, whether it reads, writes or frees space, and its
//! guarantees. [`Request`], [`Reply`], the typed methods of [`Store`] and [`dispatch`] are generated from the list; a
//! store adds one [`Perform`] for each operation.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::future::Future;

use crate::{StoreError, StoreStatus};
use async_trait::async_trait;
use redrive_core::{ItemId, QueueName, Time};
use redrive_model::{
    Annotate, Archive, BulkResult, Capture, CaptureSettings, Captured, ChangeIfUnchanged, ClaimById, ClaimDue, Claimed,
    Clear, Conservation, CreateQueue, Cursor, DeleteItems, DeleteQueue, Edit, Extend, FailureGroupInfo, FeedPage,
    FindLetters, FoundLetters, FullLetter, GetCaptureSettings, GetConservation, GetItem, GetKey, GetLetter, GetQueue,
    GetStats, Groups, HandBackLetters, HandBackResult, Import, ItemInfo, KeyEntry, KeyWrite, Lease, LeaseByMessageId,
    Leased, ListItems, ListLetters, ListQueues, OnRejected, Produce, Produced, Purge, QueueSettings, QueueStats,
    ReadChanges, Reinstate, Reinstated, Rejection, Restore, RestoreIfUnchanged, Resume, ScanKeys, Settle, SettleAction,
    Settled, StoredItem, UpdateQueue, WriteKeys, first_rejection,
};

/// The effect of an operation on disk space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpKind {
    /// Changes nothing.
    Read,
    /// Adds data. Rejected on a full disk.
    Write,
    /// Lets records be dropped. Accepted on a full disk.
    Frees,
    /// Frees no space itself, but lets the caller free some later: a lease precedes a complete.
    Prepares,
}

/// One operation of the contract.
pub trait Op: Into<Request> + Send {
    type Reply: Send;
    const NAME: &'static str;
    const KIND: OpKind;

    /// Converts the reply into a [`Reply`].
    fn wrap(reply: Self::Reply) -> Reply;
    /// Extracts the reply from a [`Reply`]; `None` if that is the reply of another operation.
    fn unwrap(reply: Reply) -> Option<Self::Reply>;
}

/// An operation that can write keys in the same transaction. A request that waits cannot.
pub trait Transactional: Op {}

/// A store's implementation of one operation. The operation and the accompanying key writes succeed together or not at
/// all.
pub trait Perform<O: Op> {
    fn perform(&self, op: O, along: Vec<KeyWrite>) -> impl Future<Output = Result<O::Reply, StoreError>> + Send;
}

/// How an operation is stored in [`Request`] and its reply in [`Reply`]: inline or boxed.
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
        /// A request to a store: one of the operations.
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

        /// Performs a request with the store's implementation of its operation.
        pub async fn dispatch<S>(store: &S, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError>
        where
            S: $(Perform<$Op> +)* Sync,
        {
            match request {
                $(Request::$Op(op) => store.perform(held!($held <= op), along).await.map($Op::wrap),)*
            }
        }

        /// A store of items and letters.
        ///
        /// Every reply is durable: an acknowledged produce survives a crash of the machine, and so does everything that
        /// a read has shown, unless [`is_durable`](Store::is_durable) is `false`. Requests are serialised, and each is
        /// applied completely or not at all, except for those with a result per item. If the future of a request is
        /// dropped, the request may still be applied. If the caller of a lease or claim has gone, no items are leased
        /// to it; items that were leased before the reply was read are released.
        ///
        /// An implementation has one entry point, [`submit`](Store::submit); callers use the typed methods.
        #[async_trait]
        pub trait Store: Debug + Send + Sync {
            /// Performs one request, and writes to the key space in the same transaction: both happen, or neither. A
            /// request that waits cannot write keys.
            async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError>;

            /// Closes the store. Waiting requests fail with [`StoreError::Closed`]; acknowledged changes are durable.
            async fn close(&self) -> Result<(), StoreError>;

            /// The status of an embedded store; `None` for other stores.
            fn status(&self) -> Option<StoreStatus> {
                None
            }

            /// Whether acknowledged changes survive a crash.
            fn is_durable(&self) -> bool {
                true
            }

            /// Waits until letters are removed by retention, and returns their queues. Each notice is delivered to one
            /// caller and not repeated after a restart; [`stats`](Store::stats) has the durable counts. A remote store
            /// never returns: the notices belong to the server.
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

            /// Settles all items with the same action. Stops at the first rejected item and returns its rejection.
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

            /// Completes items: their work has succeeded.
            async fn complete(&self, queue: QueueName, partition: u32, ids: Vec<ItemId>) -> Result<(), StoreError> {
                self.settle_all(queue, Some(partition), ids, SettleAction::Complete { attempt: None }).await
            }

            /// Releases items without counting an attempt.
            async fn release(&self, queue: QueueName, partition: u32, ids: Vec<ItemId>) -> Result<(), StoreError> {
                self.settle_all(queue, Some(partition), ids, SettleAction::Release).await
            }
        }
    };
}

// Each row: `Name verb -> Reply, inline|boxed, OpKind, at_once|waits;`. An operation and its reply are boxed in `Request`
// and `Reply` if either is large.
contract! {
    // Queues and items

    /// Creates a queue. Its dead queue must exist, must not have a dead queue itself, and must not be the queue
    /// itself.
    CreateQueue create_queue -> QueueSettings, boxed, Write, at_once;
    /// Changes the settings of a queue. New timeouts apply to later leases and items only; `max_attempts` and
    /// the dead queue apply to all items.
    UpdateQueue update_queue -> QueueSettings, boxed, Write, at_once;
    /// Deletes a queue with all its items. The dead queue of another queue is deleted only with `force`.
    DeleteQueue delete_queue -> (), inline, Frees, at_once;
    /// The settings of a queue.
    GetQueue queue -> QueueSettings, boxed, Read, at_once;
    /// Lists queues in the order of their names.
    ListQueues queues -> Vec<QueueSettings>, inline, Read, at_once;
    /// The statistics of a queue. They are exact after every operation, and their cost does not depend on the
    /// size of the queue. The reply waits until all changes that are
    /// due by time have been applied, unless the disk is full.
    GetStats stats -> QueueStats, boxed, Read, at_once;
    /// Adds items to one partition of a queue: all of them or none. The reply to a request with a request id is
    /// remembered durably, for ten minutes by default: a repetition of the request gets the same reply. A leased
    /// item may be completed in the same step.
    Produce produce -> Produced, inline, Write, at_once;
    /// Leases items. The attempt is counted when the item is leased: a holder that crashes has used one.
    Lease lease -> Leased, inline, Prepares, waits;
    /// Leases one item by its message id, ready or scheduled. `None` if there is none, or if it is leased.
    LeaseByMessageId lease_by_message_id -> Option<Box<StoredItem>>, inline, Prepares, at_once;
    /// Extends the deadlines of leases, to an earlier time only if the request says so. Each id has a separate
    /// result.
    Extend extend -> Vec<Result<Time, Rejection>>, inline, Prepares, at_once;
    /// Reports the results of leased items, in the given order. Each item has a separate result.
    Settle settle -> Vec<Result<Settled, Rejection>>, inline, Frees, at_once;
    /// Removes all items in the given states and returns their number.
    Clear clear -> u64, inline, Frees, at_once;
    /// Adds items with the state that they had in another store. `None` for items whose source id already
    /// exists.
    Import import -> Vec<Option<ItemInfo>>, inline, Write, at_once;
    /// Removes items in any state and returns how many existed.
    DeleteItems delete_items -> u64, inline, Frees, at_once;
    /// Lists items of a partition with their contents, in the order of their ids.
    ListItems items -> Vec<StoredItem>, inline, Read, at_once;
    /// One item by its current id.
    GetItem item -> StoredItem, boxed, Read, at_once;

    // Letters

    /// The settings by which failures are assessed before they are captured.
    GetCaptureSettings capture_settings -> CaptureSettings, inline, Read, at_once;
    /// Captures failures as letters. A failure that was captured before is recognised.
    Capture capture -> Vec<Captured>, inline, Write, at_once;
    /// Claims letters that are due.
    ClaimDue claim_due -> Claimed, inline, Prepares, waits;
    /// Claims letters by their ids, regardless of their schedule: all of them or none.
    ClaimById claim_by_id -> Claimed, inline, Prepares, at_once;
    /// Archives letters in any status and returns how many were not archived before.
    Archive archive -> u64, inline, Frees, at_once;
    /// Restores archived letters to their previous status and returns their number.
    Restore restore -> u64, inline, Write, at_once;
    /// Restores archived letters that still have the revision that the caller saw. Each letter has a separate
    /// result.
    RestoreIfUnchanged restore_if_unchanged -> Vec<BulkResult>, inline, Write, at_once;
    /// Gives exhausted letters their retries back, and schedules them as after their capture. Each letter has a
    /// separate result.
    Resume resume -> Vec<BulkResult>, inline, Write, at_once;
    /// Hands letters back to a queue: each is completed and its work produced in one step. Each letter has a separate
    /// result. If the work dies there, its letter has failed again.
    HandBackLetters hand_back -> Vec<HandBackResult>, inline, Write, at_once;
    /// Restores letters from an external copy, completely and under their original ids. Each letter has a
    /// separate result. Existing letters are kept, so that an interrupted request can be repeated.
    Reinstate reinstate -> Vec<Result<Reinstated, Rejection>>, inline, Write, at_once;
    /// Edits a letter that is not claimed. Its original content is kept.
    Edit edit -> ItemInfo, boxed, Write, at_once;
    /// Removes letters permanently and returns how many existed.
    Purge purge -> u64, inline, Frees, at_once;
    /// Archives or purges letters that still have the revision that the caller saw. Each letter has a separate
    /// result.
    ChangeIfUnchanged change_if_unchanged -> Vec<BulkResult>, inline, Frees, at_once;
    /// Adds a note to a letter.
    Annotate annotate -> (), inline, Write, at_once;
    /// One letter with all its documents.
    GetLetter letter -> FullLetter, boxed, Read, at_once;
    /// Lists letters with their contents, in the order of their ids.
    ListLetters letters -> Vec<StoredItem>, inline, Read, at_once;
    /// Finds letters by indexed properties, in the order of their ids or of their next retries, without their
    /// contents. A page may be short without being the last.
    FindLetters find_letters -> FoundLetters, boxed, Read, at_once;
    /// The failure groups of a queue: its live letters grouped by fingerprint, each with the id of one of them.
    Groups failure_groups -> Vec<FailureGroupInfo>, inline, Read, at_once;

    // The key space

    /// Writes entries: all of them, or none if a condition does not hold.
    WriteKeys write_keys -> (), inline, Write, at_once;
    /// One entry by its key.
    GetKey key -> Option<KeyEntry>, inline, Read, at_once;
    /// Lists entries whose keys begin with a prefix, in the order of their keys.
    ScanKeys keys -> Vec<KeyEntry>, inline, Read, at_once;

    // The feed

    /// Registers a reader of the feed, advances it, or removes it. Returns its position.
    Cursor cursor -> u64, inline, Write, at_once;
    /// Reads changed letters, each once with its newest state. Waits until there is one, and returns an empty
    /// page after the timeout. Fails at once if the store is poisoned, since nothing can change any more.
    ReadChanges changes -> FeedPage, inline, Read, waits;

    /// The numbers of items that arrived, that are present, and that have ended. The first is always the sum of
    /// the others.
    GetConservation conservation -> Conservation, inline, Read, at_once;
}

/// Implements [`Perform`] for operations that a store does not offer: they fail with [`StoreError::NotOffered`].
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
