//! The circuit breaker: its promises one by one, and random histories compared with a model.

mod destination;
mod histories;
mod keyed;
mod model;
mod probes;
mod rows;
mod start;
mod verdicts;

use destination::Destination;
