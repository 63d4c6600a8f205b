//! Documents and troubles without OpenSearch; everything else with the real one.

mod document;
mod failures;
mod fake;
mod settings;
mod with_opensearch;
