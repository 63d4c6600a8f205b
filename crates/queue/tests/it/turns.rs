//! 8:4:1, and nobody starves.

use proptest::prelude::*;
use redrive_core::Priority;
use redrive_model::PriorityRotation;

#[test]
fn shares_are_eight_to_four_to_one() {
    let mut turns = PriorityRotation::default();
    let mut served = [0; 3];
    for _ in 0..1_300 {
        served[turns.next(|_| true).unwrap() as usize] += 1;
    }
    assert_eq!(served, [800, 400, 100]);
}

#[test]
fn a_single_priority_has_all_turns() {
    for only in Priority::ALL {
        let mut turns = PriorityRotation::default();
        assert!((0..50).all(|_| turns.next(|priority| priority == *only) == Some(*only)));
    }
}

proptest! {
    /// Whatever else comes and goes: who waits is served within one round.
    #[test]
    fn nobody_waits_longer_than_a_round(others in prop::collection::vec((any::<bool>(), any::<bool>()), 100), patient in 0..3usize) {
        let patient = Priority::ALL[patient];
        let mut turns = PriorityRotation::default();
        let mut waited = 0;
        for (one, other) in others {
            let has_waiting = |priority: Priority| match priority {
                _ if priority == patient => true,
                Priority::High => one,
                _ => other,
            };
            let served = turns.next(has_waiting).unwrap();
            prop_assert!(has_waiting(served), "an empty priority got a turn");
            waited = if served == patient { 0 } else { waited + 1 };
            prop_assert!(waited < 13);
        }
    }
}
