//! `redrive consume`: a route in the foreground, without a server of its own.

mod consume;
mod foreground_route;
mod kafka;
mod mailbox;
mod queue;
mod target_options;

pub(crate) use consume::{Action, run};
