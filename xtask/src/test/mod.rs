//! All checks, the fastest first.
//!
//! Cargo builds the test executables and lanes run them. The tests without a service compute and have a lane of their
//! own; the tests of a service mostly wait for it, so that a lane for each kind of server costs little time beside it.

mod command;
mod executable;
mod failures;
mod lane;
mod lane_run;

pub(crate) use command::{Arguments, run};
