//! The conformance suite of sources over a consumer group: with letters in a dead queue, and, where letters matter,
//! with letters in DLQ topics.

mod clients;
mod committed;
mod consumer;
mod dlq_topic;
mod letters;
mod observed;
mod stores;

/// Generates the tests of the themes in which letters matter.
macro_rules! letter_tests {
    ([$harness:expr] $($theme:ident { $($case:ident,)* })*) => {
        $(letter_tests! { @$theme [$harness] { $($case,)* } })*
    };
    (@dead_letters $($cases:tt)*) => { letter_tests! { #dead_letters $($cases)* } };
    (@fences $($cases:tt)*) => { letter_tests! { #fences $($cases)* } };
    (@hand_over $($cases:tt)*) => { letter_tests! { #hand_over $($cases)* } };
    (@lost_answers $($cases:tt)*) => { letter_tests! { #lost_answers $($cases)* } };
    (@$other:ident $($cases:tt)*) => {};
    (#$theme:ident [$harness:expr] $cases:tt) => {
        redrive_run::source_conformance_test_functions! { [$harness] $theme $cases }
    };
}

mod letters_in_a_dead_queue {
    redrive_run::source_conformance_tests!(crate::with_kafka::conformance::consumer::ConsumerHarness::DeadQueue);
}

mod letters_in_topics {
    redrive_run::each_source_conformance_case! {
        [letter_tests] crate::with_kafka::conformance::consumer::ConsumerHarness::DlqTopics
    }
}
