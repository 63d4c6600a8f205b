//! Random requests to the queue calls: every request is answered with a code of the API, never with an internal error, and
//! the server keeps working.
//!
//! `REDRIVE_SOAK=100` runs a hundred times as many seeds; `REDRIVE_SEED=7` runs seed 7 again.

mod calls;
mod damage;
mod fuzz;
mod sample;
