//! `redrive search`: the index of letters beside a server's store.

mod rebuild;
mod restore;
mod search;
mod status;

pub(crate) use search::{Arguments, run};
