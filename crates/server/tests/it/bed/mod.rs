//! What the tests stand on: a server on a store, and a caller that sends what clients send.

mod bed;
mod caller;

pub(crate) use bed::{Bed, Ground, each};
pub(crate) use caller::{Caller, Heard};
