//! What the tests and the conformance suites of all crates share: the [`seeds()`] of random tests, and temporary folders
//! by [`folder()`].
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
//!
//! ```
//! let folder = redrive_testkit::folder("example");
//! std::fs::write(folder.path().join("file"), "text")?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod folder;
mod seeds;

pub use folder::folder;
pub use seeds::{Seed, seeds, soak_factor};
pub use tempfile::TempDir;
