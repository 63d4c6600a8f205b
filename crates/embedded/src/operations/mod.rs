//! How the writer executes each operation, and how much disk space the operation needs.

mod feed;
mod items;
mod keys;
mod letters;
mod queues;

use redrive_model::{
    Annotate, Archive, Capture, ChangeIfUnchanged, ClaimById, ClaimDue, Clear, CreateQueue, Cursor, DeleteItems,
    DeleteQueue, Edit, Extend, FindLetters, GetCaptureSettings, GetConservation, GetItem, GetKey, GetLetter, GetQueue,
    GetStats, Groups, Import, KeyWrite, Lease, LeaseByMessageId, ListItems, ListLetters, ListQueues, Produce, Purge,
    ReadChanges, Reinstate, Restore, RestoreIfUnchanged, Resume, ScanKeys, Settle, UpdateQueue, WriteKeys,
};
use redrive_queue::State;
use redrive_store::{Op, Request, StoreError};

use crate::answer::Answer;
use crate::disk_space;
use crate::executor::Executor;

/// One operation on the state machine.
pub(crate) trait Execute: Op {
    /// An upper bound for the disk space of its facts, given the current state. 0 for a read.
    fn bytes_max(&self, _: &State) -> usize {
        0
    }

    fn execute(self, executor: &mut Executor<'_>) -> Result<Answer, StoreError>;
}

macro_rules! execution {
    ($($(#[$doc:meta])* $Op:ident $verb:ident -> $Reply:ty, $held:ident, $kind:ident, $waits:ident;)*) => {
        pub(crate) fn execute(request: Request, executor: &mut Executor<'_>) -> Result<Answer, StoreError> {
            match request {
                $(Request::$Op(op) => op.execute(executor),)*
            }
        }

        fn own_bytes_max(request: &Request, state: &State) -> usize {
            match request {
                $(Request::$Op(op) => $Op::bytes_max(op, state),)*
            }
        }
    };
}

redrive_store::operations!(execution);

/// An upper bound for the disk space of a request's facts, including the accompanying key writes. It is computed before
/// the request is applied: an applied request must find space for its facts.
pub(crate) fn bytes_max(request: &Request, along: &[KeyWrite], state: &State) -> usize {
    disk_space::keys(along) + disk_space::ITEM + own_bytes_max(request, state)
}
