//! Tests of the embedded store through its public API.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod answers;
mod backlog;
mod bad_input;
mod compaction;
mod conformance;
mod damaged;
mod faults;
mod first_segment;
mod frozen_queues;
mod full_disk;
mod full_start;
mod gate;
mod golden;
mod hooked_disk;
mod killed;
mod letters;
mod operation_count;
mod overload;
mod retention_notices;
mod rig;
mod sync_error;
