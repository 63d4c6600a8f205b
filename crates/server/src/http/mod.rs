//! HTTP handling that all calls share: routing, limits of bodies, decoding of requests and encoding of answers.

mod body;
mod endpoint;
mod parts;
mod route;
mod router;
mod routes;
mod site;
mod wire_format;

pub(crate) use endpoint::{BodyLimit, Endpoint};
pub(crate) use router::{Answer, ConnectionKind, Router, response};
pub(crate) use routes::Routes;
