//! Conversions of the attempt limits of each API.

use redrive_core::AttemptLimit;

fn at_most(attempts: u32) -> AttemptLimit {
    AttemptLimit::at_most(attempts).unwrap()
}

#[test]
fn a_letters_retries_come_after_the_first_attempt() {
    assert_eq!(AttemptLimit::of_letter(0), Ok(at_most(1)));
    assert_eq!(AttemptLimit::of_letter(3), Ok(at_most(4)));
    assert_eq!(AttemptLimit::of_letter(100), Ok(at_most(101)));
    assert!(AttemptLimit::of_letter(101).is_err());
}

#[test]
fn the_kafka_consumers_max_retries_is_the_number_of_the_last_attempt() {
    let error = AttemptLimit::of_kafka_consumer(0).unwrap_err();
    assert!(error.to_string().contains("use 1"), "{error}");
    assert_eq!(AttemptLimit::of_kafka_consumer(1), Ok(at_most(1)));
    assert_eq!(AttemptLimit::of_kafka_consumer(3), Ok(at_most(3)));
}

#[test]
fn a_pipeline_module_is_called_at_least_once() {
    assert_eq!(AttemptLimit::of_pipeline_module(-1), at_most(1));
    assert_eq!(AttemptLimit::of_pipeline_module(0), at_most(1));
    assert_eq!(AttemptLimit::of_pipeline_module(1), at_most(1));
    assert_eq!(AttemptLimit::of_pipeline_module(3), at_most(3));
}

#[test]
fn max_attempts_0_of_a_queue_means_unlimited() {
    assert_eq!(AttemptLimit::of_queue(0), Ok(AttemptLimit::Unlimited));
    assert_eq!(AttemptLimit::of_queue(5), Ok(at_most(5)));
    assert_eq!(AttemptLimit::of_queue(65_536), Ok(at_most(65_536)));
    assert!(AttemptLimit::of_queue(65_537).is_err());
    assert!(AttemptLimit::of_queue(-1).is_err());
}

#[test]
fn a_mailbox_counts_deliveries() {
    assert_eq!(AttemptLimit::of_mailbox(5), Ok(at_most(5)));
    assert!(AttemptLimit::of_mailbox(0).is_err());
}

#[test]
fn limits_are_ordered_with_unlimited_last() {
    assert!(at_most(1) < at_most(2));
    assert!(at_most(u32::MAX) < AttemptLimit::Unlimited);
    assert!(!AttemptLimit::Unlimited.is_reached(u32::MAX));
    assert!(at_most(3).is_reached(3) && !at_most(3).is_reached(2));
}

#[test]
fn a_limit_is_serialised_as_a_number_or_as_unlimited() {
    let json = |limit: AttemptLimit| serde_json::to_string(&limit).unwrap();
    assert_eq!(json(at_most(3)), "3");
    assert_eq!(json(AttemptLimit::Unlimited), "\"unlimited\"");
    for text in ["3", "\"3\"", "\"Unlimited\""] {
        assert!(serde_json::from_str::<AttemptLimit>(text).is_ok(), "{text}");
    }
    for text in ["0", "-1", "1.5", "\"\"", "true"] {
        assert!(serde_json::from_str::<AttemptLimit>(text).is_err(), "{text}");
    }
}
