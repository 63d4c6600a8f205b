//! The connection of a command to a server.

mod contexts;
mod explain;
mod interrupt;
mod options;
mod session;

pub(crate) use contexts::{Context, ContextFile, ContextName};
pub(crate) use interrupt::Interrupt;
pub(crate) use options::{DEFAULT_SERVER, ServerOptions};
pub(crate) use session::Session;
