//! What the tests and the conformance suites of all crates share: the [`seeds()`] of random tests.
//!
//! It is not part of any program, and depends on no other crate of the workspace: every crate may use it.
//!
//! ```
//! for seed in redrive_testkit::seeds(3) {
//!     let mut state = seed.number();
//!     state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
//!     assert_ne!(state, seed.number());
//! }
//! ```

mod seeds;

pub use seeds::{Seed, seeds, soak_factor};
