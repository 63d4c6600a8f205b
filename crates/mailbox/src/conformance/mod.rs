//! The test suite that every [`MailboxBackend`](crate::MailboxBackend) must pass, with the feature `conformance`.
//!
//! The suite is a list of cases, each named after the rule that it tests. A backend provides a `MailboxHarness`;
//! `mailbox_conformance_tests!` generates a test for each case:
//!
//! ```ignore
//! mod memory {
//!     redrive_mailbox::mailbox_conformance_tests!(crate::MemoryHarness);
//! }
//! ```
//!
//! Every mailbox of a case is audited: after each step, no handle was issued twice, no message has two holders, no body
//! changed, and no count fell but by a release. `FaultyMailbox` injects faults into any backend.
#![cfg_attr(feature = "conformance", expect(clippy::expect_used, clippy::panic, reason = "a case fails by a panic"))]

#[cfg(feature = "conformance")]
mod audited;
#[cfg(feature = "conformance")]
mod cases;
#[cfg(feature = "conformance")]
mod crashes;
#[cfg(feature = "conformance")]
mod faulty;
#[cfg(feature = "conformance")]
mod faulty_letter_box;
#[cfg(feature = "conformance")]
mod fixture;
#[cfg(feature = "conformance")]
mod harness;
#[cfg(feature = "conformance")]
mod history;
#[cfg(feature = "conformance")]
mod list;
#[cfg(feature = "conformance")]
mod naive;
#[cfg(feature = "conformance")]
mod source;

#[cfg(feature = "conformance")]
pub use crashes::crash_after_each_step;
#[cfg(feature = "conformance")]
pub use faulty::{CrashPoint, FaultyMailbox};
#[cfg(feature = "conformance")]
pub use faulty_letter_box::FaultyLetterBox;
#[cfg(feature = "conformance")]
pub use harness::{BackendUnderTest, MailboxHarness};
#[cfg(feature = "conformance")]
pub use list::{CASES, MailboxCase, check};
#[cfg(feature = "conformance")]
pub use source::{DeadQueueSourceHarness, LetterPath, MailboxSourceHarness, MailboxSourceUnderTest};
