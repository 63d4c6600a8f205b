//! Failures become letters.
//!
//! A failure that is reported twice becomes one letter: it is recognised by its source id, or by the message of the source
//! that it came from. A caller that captures before it acknowledges at the source can therefore capture again after a
//! crash.
//!
//! A request is captured whole or not at all. So it is planned first, against the letters of the queue and against what its
//! own earlier letters will have done; then the store executes the steps.

mod assess;
mod captured;
mod check;
mod failed_work;
mod neighbours;
mod overlay;
mod plan;
mod step;

pub use assess::{Assessment, CaptureRules};
pub use captured::{captured, merged};
pub use check::check;
pub use failed_work::FailedWork;
pub use neighbours::{Neighbours, Peer};
pub use plan::plan;
pub use step::{CaptureStep, NewLetterStep, Target};
