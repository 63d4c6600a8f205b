//! Other queues, each with its usual client and its best configuration.
//!
//! They give the same guarantees as Redrive: an item is on disk before its producer gets the confirmation, it is
//! received after that, and it is removed when its consumer has acknowledged it.

pub(super) mod rabbitmq;
pub(super) mod redis;
