//! Running work once and capturing its failure.

mod disposition;
mod guard;
mod returned;
mod stats;
mod task;

pub use disposition::Disposition;
pub use guard::{Guard, Guarded};
pub use returned::Returned;
pub use stats::GuardStats;
pub use task::Task;
