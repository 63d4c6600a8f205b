//! Routes: their definitions in the key space, and what they do.

mod control;
mod create;
mod delete;
mod get;
mod list;
mod record;
mod request_routes;
mod server_routes;
mod update;
mod view;

pub(crate) use control::Control;
pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use get::Get;
pub(crate) use list::List;
pub(crate) use record::RouteRecord;
pub use server_routes::ServerRoutes;
pub(crate) use update::Update;
pub(crate) use view::route_info;
