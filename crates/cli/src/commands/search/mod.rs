//! `redrive search`: the OpenSearch index of letters.

mod restore;
mod search;
mod status;

pub(crate) use search::{Arguments, run};
