//! What every request passes on its way in, and every answer on its way out.

mod body;
mod endpoint;
mod form;
mod members;
mod route;
mod router;
mod routes;
mod site;

pub(crate) use endpoint::Endpoint;
pub(crate) use router::{Answer, Place, Router, response};
pub(crate) use routes::Routes;
