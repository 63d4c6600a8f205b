//! The memory mailboxes in both suites, and typed mailboxes.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

mod memory;
mod resolver;
mod source;
mod typed;
