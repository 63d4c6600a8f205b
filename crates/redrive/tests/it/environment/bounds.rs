//! Values that are no good stop the start, and say what may stand there.

use crate::bed::command;
use crate::outcome;

/// What a server says that does not start with these variables.
#[track_caller]
fn told(variables: &[(&str, &str)]) -> String {
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.envs(variables.iter().copied());
    let ran = outcome(serve.spawn().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{variables:?}: {}", ran.stderr);
    ran.stderr
}

#[test]
fn a_number_out_of_bounds_stops_the_start_and_names_the_range() {
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
            let said = told(&[(&format!("REDRIVE_DLQ_{key}"), value)]);
            let expected = format!("dlq.{} is {value}; allowed: {allowed}", key.to_lowercase());
            assert!(said.contains(&expected), "{said}");
        }
    }
}

#[test]
fn what_is_no_value_at_all_stops_the_start() {
    for (key, value) in [
        ("ENABLED", "perhaps"),
        ("ALLOW_LARGE", "7"),
        ("RETRY_PROCESSOR_ENABLED", "yes please"),
        ("FAIL_ON_OPENSEARCH_UNAVAILABLE", "maybe"),
    ] {
        let variable = format!("REDRIVE_DLQ_{key}");
        let said = told(&[(&variable, value)]);
        assert!(said.contains(&variable), "{said}");
    }
}

#[test]
fn a_word_that_is_none_stops_the_start_and_names_the_others() {
    for (key, allowed) in [
        ("DEFAULT_RETRY_POLICY", &["never", "linear", "exponential", "immediate"][..]),
        ("INTEGRATION_STRATEGY", &["automatic", "selective", "manual", "disabled"]),
        ("ON_FULL", &["reject", "overflow"]),
        ("ON_DUPLICATE", &["merge", "reject", "new_generation"]),
        ("ON_LOST_DEPENDENCY", &["wait", "release", "exhaust"]),
    ] {
        let said = told(&[(&format!("REDRIVE_DLQ_{key}"), "perhaps")]);
        assert!(allowed.iter().all(|word| said.contains(word)), "{said}");
    }
}

#[test]
fn two_spellings_that_differ_stop_the_start() {
    let said = told(&[("REDRIVE_DLQ_MAX_SIZE", "500"), ("REDRIVE_DLQ__MAX_SIZE", "600")]);
    assert!(
        said.contains("REDRIVE_DLQ__MAX_SIZE and REDRIVE_DLQ_MAX_SIZE are both set, and differ; keep one"),
        "{said}"
    );
}

#[test]
fn a_variable_that_nobody_knows_stops_the_start() {
    for variable in ["REDRIVE_DLQ_MAX_SISE", "REDRIVE_DLQ__MAX_SISE"] {
        let said = told(&[(variable, "500")]);
        assert!(said.contains("did you mean 'dlq.max_size'?"), "{said}");
    }
}
