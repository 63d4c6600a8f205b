//! A method for every call of the API, by its noun.

mod audit;
mod letters;
mod pages;
mod queue;
mod queues;
mod routes;
mod search;
mod status;
mod storage;
mod table;
mod tenancy;
mod whoami;

pub use queue::ClearedItems;
