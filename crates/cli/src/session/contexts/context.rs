//! One context.

use std::path::PathBuf;

/// A server, and how it is called. A key is never part of it: a context names the file that contains the key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Context {
    pub(crate) server: Option<String>,
    pub(crate) key_file: Option<PathBuf>,
    pub(crate) ca_file: Option<PathBuf>,
    pub(crate) namespace: Option<String>,
}
