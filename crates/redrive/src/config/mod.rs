//! How the program is set up: a file, the environment, flags.

mod aliases;
mod config;
mod dlq;
mod load;
mod numbers;
mod ranges;
mod search;
mod sources;
mod unknown;

pub(crate) use config::{Config, ConfigLayer, LogFormat};
pub(crate) use dlq::{Dlq, Way};
pub(crate) use load::{Flags, load};
pub(crate) use sources::Sources;
