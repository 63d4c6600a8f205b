//! The memory mailboxes in both suites, and typed mailboxes.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod loops;
mod memory;
mod resolver;
mod source;
mod store;
mod store_killed;
mod typed;
