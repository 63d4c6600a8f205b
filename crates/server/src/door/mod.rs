//! What every request passes on its way in, and every answer on its way out.

mod body;
mod door;
mod form;
mod members;
mod routes;

pub(crate) use door::{Answer, response};
pub(crate) use routes::{Endpoint, Routes};
