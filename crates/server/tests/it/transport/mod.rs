//! HTTP: connections, bodies, content types, limits and timeouts, before a call is executed.

mod bodies;
mod connections;
mod content_types;
mod encodings;
mod limits;
mod rejection_order;
mod timeouts;
mod untrusted;
