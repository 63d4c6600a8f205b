//! Tests of the server through its sockets.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod audit;
mod auth;
mod bounds;
mod calls;
mod errors_page;
mod fixtures;
mod fuzz;
mod harness;
// `harness::gate` needs it at the root, as in the tests of the embedded store.
#[path = "../../../embedded/tests/it/hooked_disk.rs"]
mod hooked_disk;
mod letters;
mod monitoring;
mod own;
mod routes;
mod rules;
mod smoke;
mod status;
mod tenancy;
mod test_mode;
mod transport;
mod validation;
mod whole;
