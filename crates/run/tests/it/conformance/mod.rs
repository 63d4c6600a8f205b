//! The conformance suite over every source that there is.

mod broken;
mod due_letters;
mod queues;
pub(crate) mod stores;

use redrive_run::conformance::CASES;

mod queue_in_memory {
    redrive_run::source_conformance_tests!(crate::conformance::queues::Queues::InMemory);
}

mod named_queue_on_disk {
    redrive_run::source_conformance_tests!(crate::conformance::queues::Queues::NamedOnDisk);
}

mod letters_in_memory {
    redrive_run::source_conformance_tests!(crate::conformance::due_letters::Letters);
}

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
