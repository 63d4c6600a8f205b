//! Other queues, each with its usual client, set up as well as it can be.
//!
//! They must do what Redrive does: an item is on disk before its producer hears of it, it is received after that,
//! and it is gone for good when its receiver has said so.

pub(super) mod rabbitmq;
pub(super) mod redis;
