//! The effects of the Querator calls.

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
