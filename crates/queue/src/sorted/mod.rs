//! A compact ordered set of small keys.

mod key;
mod sorted;

pub(crate) use key::{DueKey, LetterOrderKey, RankKey, TimeKey};
pub(crate) use sorted::{Sorted, SortedIter};
