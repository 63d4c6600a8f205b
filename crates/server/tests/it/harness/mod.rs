//! The test harness: a server on a store, and callers that send requests in the form in which clients send them.

mod caller;
// The disk with blocking syncs is shared with the tests of the embedded store.
#[path = "../../../../embedded/tests/it/gate.rs"]
mod gate;
mod on_stores;
mod queue_calls;
mod random;
mod raw;
mod target;
mod test_server;

pub(crate) use caller::{Caller, Response};
pub(crate) use gate::Gate;
pub(crate) use on_stores::{
    on_each_store, on_each_store_multi_threaded, on_each_store_with_caller, on_each_store_with_queue,
    on_each_store_with_target, on_gated_disk, on_simulated_disk, on_simulated_disk_with_target, on_store,
    on_store_with_caller, on_store_with_queue, on_store_with_target, run, until_blocked, with_settings,
};
pub(crate) use queue_calls::{contents, decoded, ids, leased, queue_settings, request_timeout, with};
pub(crate) use random::Random;
pub(crate) use raw::RawConnection;
pub(crate) use target::{ATTEMPT_TIMEOUT, CLAIM, DRAIN, PendingAttempt, Target};
pub(crate) use test_server::{StoreKind, TestServer, local_settings, routes};
