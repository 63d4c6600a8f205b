//! Letters: items with a failure record.

mod attempt;
mod capture_context;
mod failure;
mod first_failure;
mod full_letter;
mod last_error;
mod letter;
mod letter_flags;
mod letter_header;
mod metadata_size;
mod small;

pub use attempt::{Attempt, Parts};
pub use capture_context::{CaptureContext, Coordinates, DeathRecord, Origin};
pub use first_failure::FirstFailure;
pub use full_letter::FullLetter;
pub use letter::{ClaimHolder, Letter, PriorState, retries};
pub use letter_flags::LetterFlags;
pub use letter_header::LetterHeader;
pub use metadata_size::MetadataSize;
pub use redrive_core::{Cause, DeathReason};
pub use small::{Destination, MaybeHash, MaybeTime};
