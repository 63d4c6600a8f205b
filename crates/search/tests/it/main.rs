//! Documents and troubles without OpenSearch; everything else with the real one.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod document;
mod failures;
mod fake;
mod settings;
mod with_opensearch;
