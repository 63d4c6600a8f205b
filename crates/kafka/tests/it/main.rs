//! The consumer on a real Kafka.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed precondition fails the test")]
#![allow(clippy::result_large_err, reason = "handlers return failures")]
#![allow(clippy::type_complexity, reason = "tables of cases")]

mod fixture;

mod with_kafka {
    mod both;
    mod broker_faults;
    mod commits;
    mod conformance;
    mod dlq_down;
    mod dlq_topics;
    mod engines;
    mod hand_back;
    mod idle;
    mod ingest;
    mod killed;
    mod letters;
    mod observe;
    mod order;
    mod outage;
    mod oversized;
    mod pressure;
    mod rebalance;
    mod retries;
    mod sasl;
    mod settings;
    mod smoke;
    mod storm;
}
