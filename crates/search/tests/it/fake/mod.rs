//! A misbehaving server in place of OpenSearch.

mod server;
mod tests;
