//! The suite of mailboxes on one server.

redrive_mailbox::mailbox_conformance_tests!(crate::fixture::RedisHarness::Server);
