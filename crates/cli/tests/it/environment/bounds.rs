//! Invalid values prevent the start, and are reported with the allowed values.

use crate::outcome;
use crate::test_server::command;

/// The error of a server that must not start with these variables.
#[track_caller]
fn error(variables: &[(&str, &str)]) -> String {
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.envs(variables.iter().copied());
    let ran = outcome(serve.spawn().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{variables:?}: {}", ran.stderr);
    ran.stderr
}

#[test]
fn a_number_out_of_range_is_rejected_with_the_range() {
    for (key, values, allowed) in [
        ("DEFAULT_MAX_RETRIES", &["11", "-1", "few"][..], "0 to 10"),
        ("MAX_SIZE", &["99", "100001", "-1", "1e3"], "100 to 100000, more only with dlq_allow_large"),
        ("RETRY_INTERVAL_SECONDS", &["9", "3601"], "10 to 3600"),
        ("MAX_PARALLEL", &["0", "1025"], "1 to 1024"),
        ("ATTEMPT_TIMEOUT_SECONDS", &["0", "86401"], "1 to 86400"),
        ("LEASE_SECONDS", &["4", "3601"], "5 to 3600"),
        ("DRAIN_DEADLINE_SECONDS", &["601", "10s"], "0 to 600"),
        ("COMPLETED_RETENTION_SECONDS", &["3153600001"], "0 to 3153600000"),
        ("ARCHIVE_RETENTION_SECONDS", &["3153600001"], "0 to 3153600000"),
        ("AUTO_ARCHIVE_EXHAUSTED_SECONDS", &["3153600001"], "0 to 3153600000"),
        ("BREAKER_THRESHOLD", &["0", "1001", "99999999999"], "1 to 1000"),
        ("BREAKER_OPEN_SECONDS", &["0", "3601"], "1 to 3600"),
        ("BREAKER_PROBES", &["0", "101"], "1 to 100"),
        ("JITTER_PERCENT", &["101", "300"], "0 to 100"),
        ("MAX_LETTER_BYTES", &["1023", "67108865"], "1024 to 67108864"),
    ] {
        for value in values {
            let error = error(&[(&format!("REDRIVE_DLQ_{key}"), value)]);
            let expected = format!("dlq.{} is {value}; allowed: {allowed}", key.to_lowercase());
            assert!(error.contains(&expected), "{error}");
        }
    }
}

#[test]
fn a_value_that_is_not_a_boolean_is_rejected() {
    for (key, value) in [
        ("ENABLED", "perhaps"),
        ("ALLOW_LARGE", "7"),
        ("RETRY_PROCESSOR_ENABLED", "yes please"),
        ("FAIL_ON_OPENSEARCH_UNAVAILABLE", "maybe"),
    ] {
        let variable = format!("REDRIVE_DLQ_{key}");
        let error = error(&[(&variable, value)]);
        assert!(error.contains(&variable), "{error}");
    }
}

#[test]
fn an_unknown_word_is_rejected_with_the_allowed_words() {
    for (key, allowed) in [
        ("DEFAULT_RETRY_POLICY", &["never", "linear", "exponential", "immediate"][..]),
        ("INTEGRATION_STRATEGY", &["automatic", "selective", "manual", "disabled"]),
        ("ON_FULL", &["reject", "overflow"]),
        ("ON_DUPLICATE", &["merge", "reject", "new_generation"]),
        ("ON_LOST_DEPENDENCY", &["wait", "release", "exhaust"]),
    ] {
        let error = error(&[(&format!("REDRIVE_DLQ_{key}"), "perhaps")]);
        assert!(allowed.iter().all(|word| error.contains(word)), "{error}");
    }
}

#[test]
fn two_spellings_with_different_values_are_rejected() {
    let error = error(&[("REDRIVE_DLQ_MAX_SIZE", "500"), ("REDRIVE_DLQ__MAX_SIZE", "600")]);
    assert!(error.contains("REDRIVE_DLQ__MAX_SIZE and REDRIVE_DLQ_MAX_SIZE are both set and differ"), "{error}");
}

#[test]
fn an_unknown_variable_is_rejected() {
    for variable in ["REDRIVE_DLQ_MAX_SISE", "REDRIVE_DLQ__MAX_SISE"] {
        let error = error(&[(variable, "500")]);
        assert!(error.contains("did you mean 'dlq.max_size'?"), "{error}");
    }
}
