//! The conformance suite over every source of this crate, and over the keyed log.

mod broken;
mod due_letters;
mod queues;
pub(crate) mod stores;

use redrive_run::conformance::CASES;

mod queue_in_memory {
    redrive_run::source_conformance_tests!(crate::conformance::queues::QueueHarness::InMemory);
}

mod named_queue_on_disk {
    redrive_run::source_conformance_tests!(crate::conformance::queues::QueueHarness::NamedOnDisk, transport);
}

mod letters_in_memory {
    redrive_run::source_conformance_tests!(crate::conformance::due_letters::LettersHarness);
}

mod keyed_log {
    redrive_run::source_conformance_tests!(crate::keyed::KeyedHarness);
}

#[test]
fn every_case_has_a_unique_name() {
    let mut names: Vec<_> = CASES.iter().map(|case| (case.theme, case.name)).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(count > 80, "only {count} cases are left");
}
