//! How several waiting leases share what one partition has.

/// Hands items out one at a time in turn, passing over those that have all they asked for; gives how many
/// each request gets.
///
/// Counted, not dealt: the work depends on the number of requests, not of items.
pub fn share_evenly(available: u64, requests: &[u64]) -> Vec<u64> {
    let mut shares = vec![0; requests.len()];
    // Smallest first: whoever asks for no more than an even share gets it, and leaves more for the others.
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
    // The others want more than there is: an even share each, and the remainder by one in their order.
    let mut hungry = rest.to_vec();
    hungry.sort_unstable();
    let even = left.checked_div(waiting).unwrap_or(0);
    let mut remainder = left.checked_rem(waiting).unwrap_or(0);
    for index in hungry {
        let extra = remainder.min(1);
        shares[index] = even + extra;
        remainder -= extra;
    }
    shares
}
