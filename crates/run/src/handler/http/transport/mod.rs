//! Connections to one address: how they are made, kept and used again.
//!
//! A connection of HTTP/1.1 belongs to the attempt that uses it, which drives it itself. Nothing is handed from one task
//! to another for a request, and an attempt that is dropped closes its connection.

mod broken;
mod connection;
mod connector;
mod pool;
mod reply;
mod transport;
mod trust;

pub(super) use broken::BrokenConnection;
pub(super) use reply::HttpReply;
pub(super) use transport::{Address, HttpRequest, Transport};
