//! `apikeys.*`: the API keys that authenticate users.

mod api_key;
mod create;
mod delete;
mod list;

pub(crate) use api_key::ApiKey;
pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
