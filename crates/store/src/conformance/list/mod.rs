//! All cases of the suite, by theme.

mod items;
mod letters;
mod list;
mod others;

pub use list::{CASES, check};
