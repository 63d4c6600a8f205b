//! Contexts: named servers with their key file and namespace, in a file of the user.

mod context;
mod context_file;
mod context_name;

pub(crate) use context::Context;
pub(crate) use context_file::ContextFile;
pub(crate) use context_name::ContextName;
