//! The store through its public face.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod answers;
mod backlog;
mod bad_input;
mod compaction;
mod conformance;
mod counted;
mod damaged;
mod faults;
mod frozen_queues;
mod full_disk;
mod gate;
mod golden;
mod killed;
mod letters;
mod overload;
mod retention_notices;
mod rig;
mod sync_error;
