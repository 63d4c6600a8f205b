//! Many small keys in order.

mod key;
mod sorted;

pub(crate) use key::{DueKey, LetterOrderKey, RankKey, TimeKey};
pub(crate) use sorted::{Run, Sorted};
