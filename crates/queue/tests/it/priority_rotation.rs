//! The priority rotation: 8:4:1 without starvation.

use proptest::prelude::*;
use redrive_core::Priority;
use redrive_model::PriorityRotation;

#[test]
fn shares_are_eight_to_four_to_one() {
    let mut rotation = PriorityRotation::default();
    let mut served = [0; 3];
    for _ in 0..1_300 {
        served[rotation.next(|_| true).unwrap() as usize] += 1;
    }
    assert_eq!(served, [800, 400, 100]);
}

#[test]
fn a_single_waiting_priority_is_always_served() {
    for only in Priority::ALL {
        let mut rotation = PriorityRotation::default();
        assert!((0..50).all(|_| rotation.next(|priority| priority == *only) == Some(*only)));
    }
}

proptest! {
    /// A waiting priority is served within one round, whatever the other priorities do.
    #[test]
    fn no_priority_waits_longer_than_a_round(others in prop::collection::vec((any::<bool>(), any::<bool>()), 100), waiting in 0..3usize) {
        let waiting = Priority::ALL[waiting];
        let mut rotation = PriorityRotation::default();
        let mut waited = 0;
        for (one, other) in others {
            let has_waiting = |priority: Priority| match priority {
                _ if priority == waiting => true,
                Priority::High => one,
                _ => other,
            };
            let served = rotation.next(has_waiting).unwrap();
            prop_assert!(has_waiting(served), "an empty priority got a turn");
            waited = if served == waiting { 0 } else { waited + 1 };
            prop_assert!(waited < 13);
        }
    }
}
