//! What any [`Store`](crate::Store) must pass, with the feature `conformance`.
//!
//! A list of cases, each named after the rule that it tries. An implementation says how its store is made (a
//! `Harness`), and `conformance_tests!` makes a test of each case:
//!
//! ```ignore
//! struct InMemory;
//!
//! #[async_trait]
//! impl Harness for InMemory {
//!     async fn open(&self, clock: ManualClock) -> Arc<dyn Store> {
//!         Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions { clock: Arc::new(clock), ..EmbeddedOptions::default() }).unwrap())
//!     }
//!
//!     async fn reopen(&self, _store: Arc<dyn Store>, _clock: ManualClock) -> Option<Arc<dyn Store>> {
//!         None
//!     }
//! }
//!
//! redrive_store::conformance_tests!(crate::InMemory);
//! redrive_store::history_tests!(crate::InMemory, 200);
//! ```
//!
//! Besides the cases, a store runs random histories beside a naive model of it (`history_tests!`): every reply and all
//! that can be read is compared. The cases of the theme `twins` compare what a store does to many items at once with the
//! rules of [`redrive_model::transition`], item by item.
//!
//! Whatever a case did: after it nothing is lost, every counter is what counting gives, and a store that was closed
//! and opened again shows the same.
#![cfg_attr(
    feature = "conformance",
    expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a case that cannot go on has failed")
)]

#[cfg(feature = "conformance")]
mod audit;
#[cfg(feature = "conformance")]
mod bed;
#[cfg(feature = "conformance")]
mod case;
#[cfg(feature = "conformance")]
mod cases;
#[cfg(feature = "conformance")]
mod harness;
#[cfg(feature = "conformance")]
mod history;
#[cfg(feature = "conformance")]
mod list;
#[cfg(feature = "conformance")]
pub mod model;
#[cfg(feature = "conformance")]
mod waiter;
#[cfg(feature = "conformance")]
mod words;

#[cfg(feature = "conformance")]
pub use case::Case;
#[cfg(feature = "conformance")]
pub use harness::Harness;
#[cfg(feature = "conformance")]
pub use history::{histories, history};
#[cfg(feature = "conformance")]
pub use list::{CASES, check};
