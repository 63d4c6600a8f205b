//! Redis servers of one test, shared with the tests of the crate `redis`.
#![expect(dead_code, reason = "the tests of the crate `redis` use all of it")]

#[path = "../../../../redis/tests/it/fixture/own_server.rs"]
mod own_server;
#[path = "../../../../redis/tests/it/fixture/raw.rs"]
mod raw;
#[path = "../../../../redis/tests/it/fixture/secure_server.rs"]
mod secure_server;

pub(crate) use own_server::{OwnServer, free_port};
pub(crate) use raw::Raw;
pub(crate) use secure_server::{PASSWORD, SecureServer, USER};
