//! Routes with a real Kafka, real targets and the real program.

mod commands;
mod faults;
pub(crate) mod fixture;
mod killed;
mod outage;
mod pairs;
mod reload;
mod secrets;
mod starts;
