//! A server that misbehaves, in OpenSearch's place.

mod server;
mod tests;
