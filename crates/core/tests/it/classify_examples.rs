//! Messages of real systems with their expected categories.

use redrive_core::{Category, Classifier, Failure, Kind};

#[track_caller]
fn assert_all(category: Category, messages: &[&str]) {
    for message in messages {
        let failure = Failure::new(*message);
        let found = Classifier::built_in().classify(&failure, 1);
        assert_eq!(found.category, category, "{message:?} by rule {} on {}", found.rule, found.grounds);
    }
}

/// Errors with a type and an empty message.
#[track_caller]
fn assert_kinds(category: Category, kinds: &[&str]) {
    for kind in kinds {
        let failure = Failure::of_kind(kind.parse::<Kind>().unwrap(), "");
        let found = Classifier::built_in().classify(&failure, 1);
        assert_eq!(found.category, category, "{kind} by rule {} on {}", found.rule, found.grounds);
    }
}

#[test]
fn transient_messages() {
    assert_all(
        Category::Transient,
        &[
            "ratelimit",
            "request throttled",
            "temporaryerror raised",
            "servicebusy",
            "service busy",
            "service is busy",
            "service unavailable",
            "retryable error",
            "RateLimitError: Too many requests",
            "TemporaryError: Try again later",
            "HTTP 429 Too Many Requests",
            "502 Bad Gateway",
            "deadlock detected",
            "EXTERNAL_SERVICE_UNAVAILABLE",
            "RATE_LIMIT_EXCEEDED",
            "CircuitBreakerOpenError: request denied",
        ],
    );
}

#[test]
fn network_messages() {
    assert_all(
        Category::Network,
        &[
            "operation timeout",
            "connectivity lost",
            "socket error",
            "certificate verify failed",
            "tls handshake error",
            "TimeoutError: Request timed out",
            "socket.gaierror: Name or service not known",
            "timed out",
            "Read timed out",
            "deadline exceeded",
            "broken pipe",
            "DNS failure",
            "no route to host",
        ],
    );
    assert_kinds(Category::Network, &["TimeoutError", "ConnectionError", "java.net.SocketTimeoutException"]);
}

#[test]
fn resource_messages() {
    assert_all(
        Category::Resource,
        &[
            "out of memory",
            "quota exceeded",
            "capacity limit",
            "resource exhausted",
            "OOM killed",
            "no space left on device",
            "index out of memory",
        ],
    );
    assert_kinds(Category::Resource, &["MemoryError"]);
}

#[test]
fn permission_messages() {
    assert_all(
        Category::Permission,
        &[
            "permission denied",
            "access denied",
            "forbidden",
            "unauthorized",
            "invalid credentials",
            "Database connection: access denied",
        ],
    );
    assert_kinds(Category::Permission, &["PermissionError"]);
}

#[test]
fn validation_messages() {
    assert_all(
        Category::Validation,
        &[
            "invalid input",
            "bad format",
            "valueerror raised",
            "schema mismatch",
            "assertion failed",
            "TypeError: Incorrect type",
            "ValidationError: Field is required",
            "Connection string format invalid",
        ],
    );
}

#[test]
fn permanent_messages() {
    assert_all(
        Category::Permanent,
        &[
            "out of range index error",
            "KeyError: Key not found",
            "some random unknown error xyz",
            "boom",
            "room not found",
            "namespace missing",
            "backspace",
            "author field missing",
            "accessible",
            "information missing",
            "classless",
            "SSL certificate expired",
            "RESOURCE_NOT_FOUND",
            "OPERATION_CANCELLED",
            "GITLAB_API_ERROR",
            "order 429 not found",
            "non-retryable error",
        ],
    );
}

#[track_caller]
fn assert_rule(message: &str, rule: &str, evidence: &str) {
    let failure = Failure::new(message);
    let found = Classifier::built_in().classify(&failure, 1);
    assert_eq!((found.rule.to_string().as_str(), found.grounds.to_string().as_str()), (rule, evidence), "{message:?}");
}

#[test]
fn a_number_is_a_status_only_if_the_words_around_it_confirm_it() {
    assert_rule("HTTP 503", "http-text:503", "\"503\" in the error");
    assert_rule("HTTP/1.1 404 whatever", "http-text:404", "\"404\" in the error");
    assert_rule("HTTP/2 503", "http-text:503", "\"503\" in the error");
    assert_rule("status: 422", "http-text:422", "\"422\" in the error");
    assert_rule("got status_code=504", "http-text:504", "\"504\" in the error");
    assert_rule("404 Client Error: Not Found for url", "http-text:404", "\"404\" in the error");
    assert_rule("503 Server Error", "http-text:503", "\"503\" in the error");
    assert_rule("500 - internal server error", "http-text:500", "\"500\" in the error");
    assert_rule("HTTP Error 418: I'm a teapot", "http-text:418", "\"418\" in the error");
    assert_rule("statuscode 503", "http-text:503", "\"503\" in the error");
    assert_rule("409 Conflict", "http-text:409", "\"409\" in the error");
    assert_rule("524 A Timeout Occurred", "http-text:524", "\"524\" in the error");
    assert_rule("order 503 lost", "default", "no evidence");
    assert_rule("status 200", "default", "no evidence");
    assert_rule("503 client error", "default", "no evidence");
    assert_rule("404 bad gatewayish", "default", "no evidence");
    assert_rule("HTTP 5030", "default", "no evidence");
}

#[test]
fn a_403_whose_text_names_a_rate_limit_is_transient() {
    let category = |message: &str| Classifier::built_in().classify(&Failure::new(message), 1).category;
    assert_eq!(category("HTTP 403: API rate limit exceeded"), Category::Transient);
    assert_eq!(category("HTTP 403: you shall not pass"), Category::Permission);
}

#[test]
fn urls_and_advice_are_ignored() {
    assert_rule("boom at https://wiki/network/timeouts?status=503", "default", "no evidence");
    assert_rule("boom at amqp+ssl://broker:5671/x", "default", "no evidence");
    assert_rule("postgres://u@db/x: connection refused", "word:connection*", "\"connection\" in the error");
    assert_rule("boom\nHint: check your network connection", "default", "no evidence");
    assert_rule("boom. Recovery steps: 1. wait for the timeout", "default", "no evidence");
    assert_rule("boom - see: the DNS page", "default", "no evidence");
    for advice in [
        "boom (hint: check network)",
        "boom [hint: the timeout]",
        "boom. Please check your network connection.",
        "boom. For more information see the section on network timeouts",
        "boom. Refer to the network docs",
        "boom. See the network docs",
        "boom. To fix this, increase the memory",
        "boom. Consider increasing memory",
        "boom. Did you mean the timeout?",
        "boom. Solution: more memory",
    ] {
        assert_rule(advice, "default", "no evidence");
    }
    assert_rule("boom. Please try again", "phrase:try again", "\"try again\" in the error");
    // A text that consists of advice only is classified.
    assert_rule("Hint: network", "word:network*", "\"network\" in the error");
    // Not a label: it continues a sentence.
    assert_rule("name, resolution: 0000", "phrase:name resolution", "\"name, resolution\" in the error");
    assert_rule("no help: timed out", "phrase:timed out", "\"timed out\" in the error");
}

#[test]
fn text_beyond_the_first_8_kib_is_not_read() {
    let padding = "x ".repeat(4 * 1024);
    let beyond = Failure::new(format!("{padding}timed out"));
    assert_eq!(Classifier::built_in().classify(&beyond, 1).category, Category::Permanent);
    let within = Failure::new(format!("timed out {padding}"));
    assert_eq!(Classifier::built_in().classify(&within, 1).category, Category::Network);
}

#[test]
fn the_first_decisive_step_wins_over_all_links() {
    let outer = Failure::new("validation of the order failed").caused_by(Failure::new("HTTP 503"));
    let found = Classifier::built_in().classify(&outer, 1);
    assert_eq!(found.rule.to_string(), "http-text:503");
    assert_eq!(found.grounds.to_string(), "\"503\" in cause 1");

    let nameless = Failure::new("could not place the order").caused_by(Failure::new("connection refused"));
    assert_eq!(Classifier::built_in().classify(&nameless, 1).category, Category::Network);
}

/// The words of a setting form one name; adjacent words that a sentence separates do not.
#[test]
fn adjacent_words_are_a_setting_only_within_one_name() {
    for message in [
        "upstream timeout. Should be retried.",
        "timeout, must reconnect",
        "lost connection (id 77)",
        "Timeout\nValue: 3",
    ] {
        let failure = Failure::new(message);
        let found = Classifier::built_in().classify(&failure, 1);
        assert_eq!(found.category, Category::Network, "{message:?} by rule {}", found.rule);
    }
    for message in
        ["timeout must be set", "connection_string", "connection-string", "ConnectionString", "connection.url"]
    {
        let failure = Failure::new(message);
        let found = Classifier::built_in().classify(&failure, 1);
        assert_eq!(found.rule.to_string(), "default", "{message:?}");
    }
}
