//! Rules that other servers of this API break, each with a test named after it. R23, R24 and R29 are tested with tenancy.

mod damaged;
mod dead_queues;
mod durability;
mod lifetime;
mod names;
mod numbers;
mod requests;
mod settings;
mod stepped_clock;
