//! How the program is set up: a file, the environment, flags.

mod config;
mod load;
mod unknown;

pub(crate) use config::{Config, ConfigLayer, LogFormat};
pub(crate) use load::load;
