//! Whatever is sent, each call answers, in the codes of the API and never with a defect of ours, and goes on.
//!
//! `REDRIVE_SOAK=100` sends a hundred times as much; `REDRIVE_SEED=7` sends that once more.

mod calls;
mod damage;
mod fuzz;
mod sample;
