//! Connections to a server: where they go, how they are pooled, and how a waiting request is hung up.

mod address;
mod connector;
mod hang_up;
mod transport;

pub(crate) use address::Address;
pub(crate) use hang_up::WaitingRequest;
pub(crate) use transport::Transport;
