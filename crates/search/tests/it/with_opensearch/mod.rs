//! Against the real OpenSearch.

mod bed;
mod history;
mod instance;
mod outage;
mod projection;
mod quarantine;
mod queries;
mod rebuild;
mod restore;
mod start;
