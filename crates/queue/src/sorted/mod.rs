//! A compact ordered set of small keys.

mod key;
mod merged;
mod sorted;

pub(crate) use key::{DueKey, LetterOrderKey, RankKey, TimeKey};
pub(crate) use merged::Merged;
pub(crate) use sorted::Sorted;
