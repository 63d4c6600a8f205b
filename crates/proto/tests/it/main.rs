//! The forms of messages.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod json;
mod json_values;
mod timestamps;
