//! The connection of a command to a server.

mod explain;
mod interrupt;
mod options;
mod session;

pub(crate) use interrupt::Interrupt;
pub(crate) use options::ServerOptions;
pub(crate) use session::Session;
