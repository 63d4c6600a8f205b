//! The life of the messages of one mailbox: a pure state machine. Time and nonces are arguments.
//!
//! Every operation first lets the time pass: leases and delays that are due end, then messages beyond their retention
//! are removed. So a caller never sees a state that is out of date, and no background task is needed.

mod machine;
mod stored;

pub(crate) use machine::{Machine, MachineError, Submission};
