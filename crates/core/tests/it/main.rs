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

/// A configuration for a random test that runs this many cases, or as many times more in a soak.
fn cases(usual: u32) -> proptest::prelude::ProptestConfig {
    let factor = std::env::var("REDRIVE_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    proptest::prelude::ProptestConfig::with_cases(usual.saturating_mul(factor))
}
