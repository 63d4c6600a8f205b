//! Shares the items of one partition among several waiting leases.

/// Distributes items round robin, one at a time, skipping satisfied requests. Returns the number of items per request.
///
/// The shares are computed, so the cost depends on the number of requests, not on the number of items.
pub fn share_evenly(available: u64, requests: &[u64]) -> Vec<u64> {
    let mut shares = vec![0; requests.len()];
    // Smallest first: a request of at most an even share is satisfied, and leaves more for the others.
    let mut by_size: Vec<usize> = (0..requests.len()).collect();
    by_size.sort_by_key(|index| requests[*index]);
    let mut left = available;
    let mut waiting = requests.len() as u64;
    let mut rest = by_size.as_slice();
    while let Some((index, larger)) = rest.split_first() {
        if requests[*index] > left / waiting {
            break;
        }
        shares[*index] = requests[*index];
        left -= requests[*index];
        waiting -= 1;
        rest = larger;
    }
    // The other requests get an even share each, and the first ones get one more item each until the remainder is used.
    let mut unsatisfied = rest.to_vec();
    unsatisfied.sort_unstable();
    let even = left.checked_div(waiting).unwrap_or(0);
    let mut remainder = left.checked_rem(waiting).unwrap_or(0);
    for index in unsatisfied {
        let extra = remainder.min(1);
        shares[index] = even + extra;
        remainder -= extra;
    }
    shares
}
