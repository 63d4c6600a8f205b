//! `redrive audit`.

mod list;
mod log_line;
mod namespaces;
mod verify;
