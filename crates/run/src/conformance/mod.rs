//! The test suite that every [`Source`](crate::Source) must pass, with the feature `conformance`.
//!
//! The suite is a list of cases, each named after the rule that it tests. A source provides a `SourceHarness` that
//! opens it, a `SourceUnderTest` that puts work in and looks at it from outside, and its optional features (`Abilities`).
//! `source_conformance_tests!` generates a test for each case:
//!
//! ```ignore
//! struct Mailboxes;
//!
//! #[async_trait]
//! impl SourceHarness for Mailboxes {
//!     type Bench = Mailbox;
//!
//!     async fn open(&self, clock: ManualClock) -> Mailbox {
//!         Mailbox::new(clock)
//!     }
//! }
//!
//! redrive_run::source_conformance_tests!(crate::Mailboxes);
//! ```
//!
//! After every case the suite checks that no work was lost, and that none is both open and a letter, or two letters.
#![cfg_attr(feature = "conformance", expect(clippy::expect_used, clippy::panic, reason = "a case fails by a panic"))]

#[cfg(feature = "conformance")]
mod abilities;
#[cfg(feature = "conformance")]
mod bench;
#[cfg(feature = "conformance")]
mod builders;
#[cfg(feature = "conformance")]
mod case;
#[cfg(feature = "conformance")]
mod cases;
#[cfg(feature = "conformance")]
mod erased;
#[cfg(feature = "conformance")]
mod fixture;
#[cfg(feature = "conformance")]
mod list;
#[cfg(feature = "conformance")]
mod random;
#[cfg(feature = "conformance")]
mod resolution_kind;
#[cfg(feature = "conformance")]
mod waiter;
#[cfg(feature = "conformance")]
mod workload;

#[cfg(feature = "conformance")]
pub use abilities::{Abilities, Destinations, Records};
#[cfg(feature = "conformance")]
pub use bench::{Fate, FoundLetter, NewWork, SourceHarness, SourceUnderTest};
#[cfg(feature = "conformance")]
pub use case::SourceCase;
#[cfg(feature = "conformance")]
pub use list::{CASES, check};
