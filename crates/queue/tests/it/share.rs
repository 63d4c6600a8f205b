//! The computed shares compared with round robin.

use proptest::prelude::*;
use redrive_queue::share_evenly;

/// The documented rule: round robin, one item at a time, skipping satisfied requests.
fn round_robin(mut available: u64, requests: &[u64]) -> Vec<u64> {
    let mut shares = vec![0; requests.len()];
    while available > 0 && shares.iter().zip(requests).any(|(share, request)| share < request) {
        for (share, request) in shares.iter_mut().zip(requests) {
            if *share < *request && available > 0 {
                *share += 1;
                available -= 1;
            }
        }
    }
    shares
}

proptest! {
    #[test]
    fn computed_shares_equal_round_robin(available in 0..200u64, requests in prop::collection::vec(0..40u64, 0..12)) {
        prop_assert_eq!(share_evenly(available, &requests), round_robin(available, &requests));
    }
}

#[test]
fn huge_numbers_are_shared_in_constant_time() {
    assert_eq!(share_evenly(u64::MAX, &[1_000, u64::MAX]), [1_000, u64::MAX - 1_000]);
    assert_eq!(share_evenly(5_000_000, &[u64::MAX; 3]), [1_666_667, 1_666_667, 1_666_666]);
}
