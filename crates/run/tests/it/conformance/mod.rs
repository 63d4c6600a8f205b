//! The conformance suite over every source that there is.

pub(crate) mod stores;

use redrive_run::conformance::CASES;

mod keyed_log {
    redrive_run::source_conformance_tests!(crate::keyed::Keyed);
}

#[test]
fn every_rule_has_a_name_of_its_own() {
    let mut names: Vec<_> = CASES.iter().map(|case| (case.theme, case.name)).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(count > 80, "only {count} cases are left");
}
