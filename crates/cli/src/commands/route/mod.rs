//! `redrive route`: routes of the server.

mod control;
mod define;
mod delete;
mod list;
mod route;
mod route_line;
mod show;

pub(crate) use route::{Arguments, run};
