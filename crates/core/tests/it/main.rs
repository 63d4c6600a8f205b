//! Tests of the public API.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod attempts;
mod backoff;
mod bad_input;
mod breaker;
mod classify_evidence;
mod classify_examples;
mod classify_user_rules;
mod conditions;
mod fingerprint;
mod ids;
mod no_allocation;
mod policy;
mod policy_model;
mod time;
mod wire_names;

/// A proptest configuration with `usual` cases, multiplied by `REDRIVE_SOAK` if it is set.
fn cases(usual: u32) -> proptest::prelude::ProptestConfig {
    let factor = std::env::var("REDRIVE_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    proptest::prelude::ProptestConfig::with_cases(usual.saturating_mul(factor))
}
