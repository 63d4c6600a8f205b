//! Running work once, and catching what fails.

mod disposition;
mod guard;
mod letter_box;
mod returned;
mod stats;
mod task;

pub use disposition::Disposition;
pub use guard::{Guard, Guarded};
pub use letter_box::LetterBox;
pub use returned::Returned;
pub use stats::GuardStats;
pub use task::Task;
