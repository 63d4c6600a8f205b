//! Tests of the tests: a journal that is broken on purpose is caught.

use super::{Sabotage, damage, histories, seeds};

/// Whether any of the usual seeds notices the fault. A panic in the code under test is noticing, too.
fn is_caught(sabotage: Sabotage, run: fn(u64) -> Result<(), String>) -> bool {
    sabotage.during(|| {
        seeds(200).any(|seed| {
            let outcome = std::panic::catch_unwind(|| run(seed));
            !matches!(outcome, Ok(Ok(())))
        })
    })
}

#[test]
fn acknowledging_before_the_sync_is_caught() {
    assert!(is_caught(Sabotage::AckBeforeSync, histories::run));
}

#[test]
fn skipping_the_checksums_is_caught() {
    assert!(is_caught(Sabotage::SkipChecksums, |seed| damage::run(seed).map(|_| ())));
}

#[test]
fn dropping_a_segment_too_early_is_caught() {
    assert!(is_caught(Sabotage::DropTooEarly, histories::run));
}
