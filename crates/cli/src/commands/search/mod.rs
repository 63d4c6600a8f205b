//! `redrive search`: the OpenSearch index of letters.

mod rebuild;
mod restore;
mod search;
mod status;

pub(crate) use search::{Arguments, run};
