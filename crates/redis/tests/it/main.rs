//! Mailboxes on a real Redis.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed precondition fails the test")]

mod failover;
mod fixture;
mod old_server;

mod with_redis {
    mod browse;
    mod conformance;
    mod faults;
    mod late_requests;
    mod loops;
    mod lost_replies;
    mod permissions;
    mod source;
    mod take;
    mod waiting;
    mod wire_format;
}

mod with_redis_durable {
    mod soak;
}

mod with_redis_cluster {
    redrive_mailbox::mailbox_conformance_tests!(crate::fixture::RedisHarness::Cluster, transport);

    mod faults;
    mod hand_over;
    mod loops;
}
