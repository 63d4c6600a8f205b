//! The rules of the model through its public face.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod assess;
