//! Documents and failures without OpenSearch; everything else with a real one.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed precondition fails the test")]

mod document;
mod failures;
mod fake;
mod settings;
mod waiting;
mod with_opensearch;
