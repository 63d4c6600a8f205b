//! The parallel consumer on a real broker: 8 partitions, records of 1 KiB, compared with loops of the same client
//! library over the same topics, in alternating runs.

mod cluster;
mod consumer_run;
mod failing;
mod figures;
mod fixture;
mod hand_over;
mod keys;
mod latency;
pub(crate) mod memory;
mod no_op;
mod partition_threads;
mod plain_consumer;
pub(crate) mod plain_loop;
mod skew;
mod stopwatch;
mod waiting;

pub(crate) use figures::figures;
pub(crate) use fixture::{Backlog, KafkaBench};
pub(crate) use plain_consumer::PlainConsumer;
