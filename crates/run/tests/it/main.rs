//! Sources through their public face.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod conformance;
mod keyed;
