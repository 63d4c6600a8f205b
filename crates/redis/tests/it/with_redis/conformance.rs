//! The suite of mailboxes on one server, and over TLS as a user with an ACL.

mod plain {
    redrive_mailbox::mailbox_conformance_tests!(crate::fixture::RedisHarness::Server);
}

mod secure {
    redrive_mailbox::mailbox_conformance_tests!(crate::fixture::RedisHarness::Secure);
}
