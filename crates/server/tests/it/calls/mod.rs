//! What the calls do.

mod clear;
mod dead_queues;
mod import;
mod lease;
mod lists;
mod placement;
mod produce;
mod queues;
mod retry;
mod stats;
