//! Connections: where they go, how they are made and kept, and how one is hung up.

mod address;
mod connector;
mod hang_up;
mod tls;
mod transport;

pub(crate) use address::Address;
pub(crate) use hang_up::Line;
pub(crate) use transport::Transport;
