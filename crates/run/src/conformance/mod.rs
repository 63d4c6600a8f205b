//! What any [`Source`](crate::Source) must pass, with the feature `conformance`.
//!
//! A list of cases, each named after the rule that it tries. Whoever implements a source says how it is opened (a
//! `SourceHarness`), how work is put into it and looked at from outside (a `SourceBench`) and what it does not have
//! (`Abilities`); `source_conformance_tests!` makes a test of each case:
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
//! Whatever a case did: after it no piece of work is lost, and none is open and a letter at once, or two letters.
#![cfg_attr(
    feature = "conformance",
    expect(clippy::expect_used, clippy::panic, reason = "a case that cannot go on has failed")
)]

#[cfg(feature = "conformance")]
mod abilities;
#[cfg(feature = "conformance")]
mod bed;
#[cfg(feature = "conformance")]
mod bench;
#[cfg(feature = "conformance")]
mod case;
#[cfg(feature = "conformance")]
mod cases;
#[cfg(feature = "conformance")]
mod crowd;
#[cfg(feature = "conformance")]
mod erased;
#[cfg(feature = "conformance")]
mod list;
#[cfg(feature = "conformance")]
mod random;
#[cfg(feature = "conformance")]
mod waiter;
#[cfg(feature = "conformance")]
mod way;
#[cfg(feature = "conformance")]
mod words;

#[cfg(feature = "conformance")]
pub use abilities::{Abilities, Destinations, Records};
#[cfg(feature = "conformance")]
pub use bench::{Fate, FoundLetter, NewWork, SourceBench, SourceHarness};
#[cfg(feature = "conformance")]
pub use case::SourceCase;
#[cfg(feature = "conformance")]
pub use list::{CASES, check};
