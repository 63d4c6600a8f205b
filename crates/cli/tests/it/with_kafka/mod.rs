//! Routes with a real Kafka, real targets and the real program.

mod commands;
mod examples;
mod faults;
pub(crate) mod fixture;
mod killed;
mod outage;
mod pairs;
mod reload;
mod round_trip;
mod secrets;
mod starts;
