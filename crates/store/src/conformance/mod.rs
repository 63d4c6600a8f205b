//! The conformance suite that every [`Store`](crate::Store) must pass (feature `conformance`).
//!
//! The suite is a list of cases, each named after the rule that it checks. An implementation provides a `Harness`,
//! which creates its stores, and `conformance_tests!` generates a test for each case:
//!
//! ```ignore
//! struct InMemory;
//!
//! #[async_trait]
//! impl Harness for InMemory {
//!     async fn open(&self, clock: ManualClock) -> Arc<dyn Store> {
//!         Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions { clock: Arc::new(clock), ..EmbeddedOptions::default() }).unwrap())
//!     }
//! }
//!
//! redrive_store::conformance_tests!(crate::InMemory);
//! redrive_store::history_tests!(crate::InMemory, 50);
//! ```
//!
//! In addition, `history_tests!` runs random histories on a store and on a naive model of it, and compares every reply
//! and everything that can be read. The cases of the theme `twins` compare operations on many items with the rules of
//! [`redrive_model::transition`], item by item.
//!
//! After every case the suite checks that nothing is lost, that every counter is exact, and that a store that is closed
//! and reopened shows the same.
#![cfg_attr(
    feature = "conformance",
    expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a case that cannot continue has failed")
)]

#[cfg(feature = "conformance")]
mod audit;
#[cfg(feature = "conformance")]
mod case;
#[cfg(feature = "conformance")]
mod cases;
#[cfg(feature = "conformance")]
mod fixture;
#[cfg(feature = "conformance")]
mod harness;
#[cfg(feature = "conformance")]
mod history;
#[cfg(feature = "conformance")]
mod list;
#[cfg(feature = "conformance")]
pub mod model;
#[cfg(feature = "conformance")]
mod samples;
#[cfg(feature = "conformance")]
mod waiter;

#[cfg(feature = "conformance")]
pub use case::Case;
#[cfg(feature = "conformance")]
pub use harness::Harness;
#[cfg(feature = "conformance")]
pub use history::{histories, history};
#[cfg(feature = "conformance")]
pub use list::{CASES, check};
