//! Tests with a real OpenSearch.

mod fixture;
mod history;
mod instance;
mod outage;
mod projection;
mod quarantine;
mod queries;
mod rebuild;
mod restore;
mod start;
