//! Who calls, and what they may do.

mod bootstrap;
mod header;
mod keys;
mod permissions;
mod revoked;
mod settings;
mod words;

pub(crate) use words::{closed, each_closed};
