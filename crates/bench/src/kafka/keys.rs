//! The keys of the records, in the order in which they are produced.

use std::collections::BTreeMap;

use redrive_core::SplitMix64;

pub(super) const KEYS: u32 = 1_000;

/// Every key equally often, in turn.
pub(super) fn round_robin(records: usize) -> Vec<u32> {
    (0..KEYS).cycle().take(records).collect()
}

/// Keys by Zipf's law with exponent 1: the second is half as frequent as the first, the third has a third of it.
pub(super) fn zipf(records: usize) -> Vec<u32> {
    let mut cumulative = Vec::new();
    let mut sum = 0.0;
    for key in 0..KEYS {
        sum += 1.0 / f64::from(key + 1);
        cumulative.push(sum);
    }
    let mut random = SplitMix64::new(1);
    let mut draw = || {
        let at = (random.next() >> 11) as f64 / (1_u64 << 53) as f64 * sum;
        cumulative.partition_point(|until| *until <= at)
    };
    (0..records).map(|_| u32::try_from(draw()).unwrap_or(KEYS).min(KEYS - 1)).collect()
}

/// Every second record has the same key, the others have all other keys in turn.
pub(super) fn one_hot(records: usize) -> Vec<u32> {
    (1..KEYS).cycle().flat_map(|other| [0, other]).take(records).collect()
}

/// How many records the most frequent key has.
pub(super) fn most_frequent(keys: &[u32]) -> usize {
    let mut counts = BTreeMap::new();
    for key in keys {
        *counts.entry(key).or_insert(0) += 1;
    }
    counts.into_values().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_key_has_its_share() {
        assert_eq!(most_frequent(&round_robin(10_000)), 10);
        assert_eq!(most_frequent(&one_hot(10_000)), 5_000);
        // The sum of 1/n for n up to 1 000 is 7.485, so the first key has 13.4 %.
        let share = most_frequent(&zipf(100_000));
        assert!((13_000..13_800).contains(&share), "{share}");
    }
}
