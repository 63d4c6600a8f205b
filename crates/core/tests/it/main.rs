//! The behaviour of the core, through its public face.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod attempts;
mod backoff;
mod bad_input;
mod breaker;
mod classify_evidence;
mod classify_examples;
mod classify_user_rules;
mod fingerprint;
mod ids;
mod no_allocation;
mod policy;
mod policy_model;
mod time;
mod wire_names;
