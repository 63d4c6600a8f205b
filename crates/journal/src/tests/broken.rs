//! Tests of the tests: faults injected into the journal must be detected.

use super::{Sabotage, damage, histories};

/// Whether any of the fixed seeds detects the fault. A panic in the code under test counts as detection.
fn is_detected(sabotage: Sabotage, run: fn(u64) -> Result<(), String>) -> bool {
    sabotage.during(|| {
        (0..200).any(|seed| {
            let outcome = std::panic::catch_unwind(|| run(seed));
            !matches!(outcome, Ok(Ok(())))
        })
    })
}

#[test]
fn acknowledging_before_the_sync_is_detected() {
    assert!(is_detected(Sabotage::AckBeforeSync, histories::run));
}

#[test]
fn skipping_the_checksums_is_detected() {
    assert!(is_detected(Sabotage::SkipChecksums, |seed| damage::run(seed).map(|_| ())));
}

#[test]
fn dropping_a_segment_too_early_is_detected() {
    assert!(is_detected(Sabotage::DropTooEarly, histories::run));
}
