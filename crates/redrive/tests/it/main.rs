//! The tests of the library.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod examples;
