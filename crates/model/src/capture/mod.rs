//! Turns failures into letters.
//!
//! A failure that is reported twice becomes one letter: it is recognised by its source id, or by the coordinates of its
//! message at the source. A caller that captures before it acknowledges at the source can therefore capture again after
//! a crash.
//!
//! Work that is handed back to its source and fails there again is still the same work: the failure belongs to the letter
//! that was handed back. Its number of replays distinguishes it from a repeated report.
//!
//! A request is captured atomically. So it is planned first, against the letters of the queue and the effects of the
//! earlier letters in the same request; then the store executes the steps.

mod assess;
mod captured;
mod check;
mod failed_work;
mod overlay;
mod plan;
mod queue_index;
mod step;

pub use assess::{Assessment, CaptureRules};
pub use captured::{FurtherFailure, captured, failed_again, merged};
pub use check::check;
pub use failed_work::FailedWork;
pub use plan::plan;
pub use queue_index::{MessageIndex, Peer, QueueIndex};
pub use step::{CaptureStep, NewLetterStep, Target};
