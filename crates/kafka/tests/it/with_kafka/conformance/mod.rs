//! The conformance suite of sources over a consumer group: with letters in a dead queue, and, where letters matter,
//! with letters in DLQ topics.

mod clients;
mod committed;
mod consumer;
mod dlq_topic;
mod letters;
mod observed;
mod stores;

mod letters_in_a_dead_queue {
    redrive_run::source_conformance_tests!(crate::with_kafka::conformance::consumer::ConsumerHarness::DeadQueue);
}

mod letters_in_topics {
    redrive_run::source_conformance_tests!(
        crate::with_kafka::conformance::consumer::ConsumerHarness::DlqTopics,
        letters
    );
}
