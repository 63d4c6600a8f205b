//! `apikeys.*`: the API keys that authenticate users.

mod api_key;
mod calls;

pub(crate) use api_key::ApiKey;
pub(crate) use calls::{Create, Delete, List};
