//! What the tests stand on: a server on a store, and callers that send what clients send.

mod bed;
mod caller;
// The same disk that waits, as the store's own tests have it.
#[path = "../../../../embedded/tests/it/gate.rs"]
mod gate;
mod random;
mod raw;
mod target;
mod words;

pub(crate) use bed::{Bed, Ground, bounded, each, each_retrying, on};
pub(crate) use caller::{Caller, Heard};
pub(crate) use gate::Gate;
pub(crate) use random::{Random, seeds};
pub(crate) use raw::Raw;
pub(crate) use target::{ATTEMPT_TIMEOUT, CLAIM, DRAIN, Target, Tried};
pub(crate) use words::{contents, decoded, ids, leased, request_timeout};
