//! The configuration of the server, from flags, environment variables and a file.

mod aliases;
mod classify;
mod config;
mod dlq;
mod load;
mod numbers;
mod ranges;
mod route_sections;
mod routes;
#[cfg(feature = "search")]
mod search;
mod sources;
mod targets;
mod unknown;

pub(crate) use classify::Classify;
pub(crate) use config::{Config, ConfigLayer, LogFormat, parse_log_level};
pub(crate) use dlq::Dlq;
pub(crate) use load::{Flags, file_to_read, load};
pub(crate) use route_sections::RouteSections;
pub(crate) use sources::SettingSources;
pub(crate) use targets::{LetterTarget, NamedTargets, ResolvedTarget};
