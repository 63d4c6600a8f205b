//! Tests of the rules through the public API.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod assess;
