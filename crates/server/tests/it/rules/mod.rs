//! Where other servers of this API are wrong: one test for each rule, named after it. R23, R24 and R29 are about tenancy.

mod damaged;
mod dead_queues;
mod ends;
mod keeping;
mod life;
mod names;
mod numbers;
mod settings;
mod stepped_clock;
