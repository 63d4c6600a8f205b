//! Tests of the public API.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod capture;
mod checkpoint_size;
mod find_letters;
mod jitter;
mod letters;
mod model;
mod priority_rotation;
mod records;
mod relocate;
mod templates;
