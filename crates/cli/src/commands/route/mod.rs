//! `redrive route`: routes of the server.

mod define;
mod route;
mod route_line;

pub(crate) use route::{Arguments, run};
