//! The memory mailboxes in both suites, and the typed face.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

mod memory;
mod resolver;
mod source;
mod typed;
