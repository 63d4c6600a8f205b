//! Addresses to listen on.

use std::net::SocketAddr;

pub(crate) fn parse_address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "expected an IP address and a port, as in 127.0.0.1:2319 or [::1]:2319")
}
