//! The deterministic state machine of queues, as far as it stands: who gets what.
//!
//! Which partition a batch goes to ([`Placement`]), how waiting leases share what a partition has
//! ([`share`](fn@share)), and which priority is served next ([`Turns`]). Each is a value with pure operations: the
//! same calls give the same answers on every machine and in recovery.
//!
//! It is not a store: nothing here reads a clock, a disk or the network, and items themselves are not here
//! yet.
//!
//! ```
//! use std::num::NonZeroU32;
//! use redrive_queue::{Placement, share};
//!
//! let mut placement = Placement::new(NonZeroU32::new(2).unwrap());
//! assert_eq!(placement.produce(10), Some(0));
//! assert_eq!(placement.produce(11), Some(1));
//! assert_eq!(placement.lease(10), Some(1), "the fullest is leased from first");
//! assert_eq!(share(23, &[20, 6, 1]), [16, 6, 1]);
//! ```

mod placement;
mod share;
mod turns;

pub use placement::Placement;
pub use share::share;
pub use turns::Turns;
