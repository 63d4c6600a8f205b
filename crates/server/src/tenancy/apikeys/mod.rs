//! `apikeys.*`: keys, by which users show who they are.

mod api_key;
mod create;
mod delete;
mod list;

pub(crate) use api_key::ApiKey;
pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
