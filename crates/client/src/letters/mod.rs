//! The handle of the letters of a queue.

mod letter_query;
mod letter_summary;
mod letters;

pub use letter_query::{LetterCursor, LetterPage, LetterQuery};
pub use letter_summary::{LetterSummary, RetriedLetter};
pub use letters::Letters;
