//! The handle of a queue.

mod batches;
mod claiming;
mod lease_options;
mod queue;

pub use lease_options::LeaseOptions;
pub use queue::Queue;
