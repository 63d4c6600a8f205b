//! Routes: their definitions in the key space, and what they do.

mod control;
mod delete;
mod put;
mod read;
mod record;
mod request_routes;
mod server_routes;
mod view;

pub(crate) use control::Control;
pub(crate) use delete::Delete;
pub(crate) use put::{Create, Update};
pub(crate) use read::{Get, List};
pub(crate) use record::RouteRecord;
pub use server_routes::ServerRoutes;
pub(crate) use view::route_info;
