//! The suite of mailboxes on one server, and its cases of the transport over TLS as a user with an ACL.

mod plain {
    redrive_mailbox::mailbox_conformance_tests!(crate::fixture::RedisHarness::Server);
}

mod secure {
    redrive_mailbox::mailbox_conformance_tests!(crate::fixture::RedisHarness::Secure, transport);
}
