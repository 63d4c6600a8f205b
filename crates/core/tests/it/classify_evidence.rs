//! The categories of all typed evidence.

use redrive_core::{Category, Classifier, Evidence, Failure, GrpcCode, IoKind, Span, SqlState};

fn category(failure: &Failure) -> Category {
    Classifier::built_in().classify(failure, 1).category
}

/// The statuses with a row of their own; the category of the others depends on their hundred.
const HTTP: &[(Category, &[u16])] = &[
    (Category::Transient, &[409, 421, 423, 425, 429, 500, 502, 503, 529]),
    (Category::Network, &[408, 504, 520, 521, 522, 523, 524, 598, 599]),
    (Category::Resource, &[507]),
    (Category::Permission, &[401, 403, 407, 451, 511]),
    (Category::Validation, &[400, 405, 406, 411, 412, 413, 414, 415, 416, 417, 422, 428, 431]),
    (Category::Permanent, &[402, 404, 410, 501, 505]),
];

#[test]
fn every_http_status() {
    for status in 400..=599 {
        let row = HTTP.iter().find(|(_, statuses)| statuses.contains(&status));
        let other = if status < 500 { Category::Permanent } else { Category::Transient };
        let expected = row.map_or(other, |(category, _)| *category);
        let failure = Failure::typed(Evidence::http(status));
        let found = Classifier::built_in().classify(&failure, 1);
        assert_eq!((found.category, found.rule.to_string()), (expected, format!("http:{status}")));
    }
    for status in [0, 200, 302, 399, 600] {
        let failure = Failure::new("timed out").with_evidence(Evidence::http(status));
        assert_eq!(category(&failure), Category::Network, "{status} is inconclusive, the text decides");
    }
}

#[test]
fn a_throttled_403_is_transient() {
    let by_header = Failure::typed(Evidence::Http { status: 403, rate_limited: true });
    assert_eq!(category(&by_header), Category::Transient);
    let by_phrase = Failure::new("secondary rate limits apply").with_evidence(Evidence::http(403));
    assert_eq!(category(&by_phrase), Category::Transient);
    let by_cause = Failure::typed(Evidence::http(403)).caused_by(Failure::new("Too many requests"));
    assert_eq!(category(&by_cause), Category::Transient);
}

#[test]
fn every_grpc_code() {
    let expected = |number: u32| match number {
        10 | 14 => Some(Category::Transient),
        4 => Some(Category::Network),
        8 => Some(Category::Resource),
        7 | 16 => Some(Category::Permission),
        3 | 11 => Some(Category::Validation),
        1 | 5 | 6 | 9 | 12 | 15 => Some(Category::Permanent),
        _ => None,
    };
    for number in 1..=16 {
        let code = GrpcCode::from_number(number).unwrap();
        assert_eq!(u32::from(code.number()), number);
        let failure = Failure::new("disk").with_evidence(Evidence::Grpc(code));
        let found = Classifier::built_in().classify(&failure, 1);
        match expected(number) {
            Some(category) => {
                assert_eq!((found.category, found.rule.to_string()), (category, format!("grpc:{number}")));
            }
            None => assert_eq!(found.rule.to_string(), "word:disk", "grpc {number} is inconclusive, the text decides"),
        }
    }
    assert_eq!(GrpcCode::from_number(0), None);
    assert_eq!(GrpcCode::from_number(17), None);
}

#[test]
fn every_io_kind() {
    let rows: &[(Category, &str)] = &[
        (Category::Transient, "WouldBlock Interrupted ResourceBusy ExecutableFileBusy Deadlock"),
        (
            Category::Network,
            "ConnectionRefused ConnectionReset ConnectionAborted NotConnected BrokenPipe TimedOut HostUnreachable \
             NetworkUnreachable NetworkDown AddrNotAvailable UnexpectedEof StaleNetworkFileHandle",
        ),
        (Category::Resource, "OutOfMemory StorageFull QuotaExceeded FileTooLarge"),
        (Category::Permission, "PermissionDenied ReadOnlyFilesystem"),
        (Category::Validation, "InvalidInput InvalidData InvalidFilename ArgumentListTooLong"),
        (Category::Permanent, "NotFound AlreadyExists Unsupported"),
    ];
    let mut seen = 0;
    for (expected, names) in rows {
        for name in names.split_whitespace() {
            let failure = Failure::typed(Evidence::Io(name.parse().unwrap()));
            let found = Classifier::built_in().classify(&failure, 1);
            assert_eq!((found.category, found.rule.to_string()), (*expected, format!("io:{name}")));
            seen += 1;
        }
    }
    assert_eq!(seen + 1, IoKind::ALL.len(), "all but Other have a row");
    let other = Failure::new("quota").with_evidence(Evidence::Io(IoKind::Other));
    assert_eq!(category(&other), Category::Resource);
}

#[test]
fn errors_of_the_standard_library_carry_their_kind_as_evidence() {
    use std::io::{Error, ErrorKind};
    let pairs = [
        (ErrorKind::ConnectionReset, IoKind::ConnectionReset),
        (ErrorKind::StorageFull, IoKind::StorageFull),
        (ErrorKind::ReadOnlyFilesystem, IoKind::ReadOnlyFilesystem),
        (ErrorKind::WriteZero, IoKind::Other),
    ];
    for (kind, expected) in pairs {
        let failure = Failure::from_error(&Error::new(kind, "x"));
        assert_eq!(failure.error.evidence, Some(Evidence::Io(expected)));
    }
    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] Error);
    let wrapped = Failure::from_error(&Outer(Error::new(ErrorKind::TimedOut, "inner")));
    let found = Classifier::built_in().classify(&wrapped, 1);
    assert_eq!(
        (found.rule.to_string().as_str(), found.grounds.to_string().as_str()),
        ("io:TimedOut", "the code of cause 1")
    );
}

#[test]
fn sqlstates_by_code_and_class() {
    let rows: &[(Option<Category>, &str)] = &[
        (Some(Category::Transient), "40001 40P01 55P03 57P01 57P02 57P03"),
        (Some(Category::Network), "08000 08006 08P01"),
        (Some(Category::Resource), "53000 53100 53400"),
        (Some(Category::Permission), "28000 28P01 42501"),
        (Some(Category::Validation), "22000 22P02 23505 23503"),
        (Some(Category::Permanent), "42000 42P01 42601"),
        (None, "XX000 25P02 57014 57P04 40002 55006"),
    ];
    for (expected, codes) in rows {
        for code in codes.split_whitespace() {
            let state: SqlState = code.parse().unwrap();
            let failure = Failure::new("handshake").with_evidence(Evidence::Sql(state));
            let found = Classifier::built_in().classify(&failure, 1);
            match expected {
                Some(category) => {
                    assert_eq!((found.category, found.rule.to_string()), (*category, format!("sqlstate:{code}")));
                }
                None => assert_eq!(found.rule.to_string(), "word:handshake", "{code} is inconclusive"),
            }
        }
    }
}

#[test]
fn the_outermost_evidence_wins_and_beats_all_text() {
    let failure = Failure::new("do not retry: permission denied")
        .caused_by(Failure::new("x").with_evidence(Evidence::http(503)))
        .caused_by(Failure::typed(Evidence::http(404)));
    let found = Classifier::built_in().classify(&failure, 1);
    assert_eq!(
        (found.rule.to_string().as_str(), found.grounds.to_string().as_str()),
        ("http:503", "the code of cause 1")
    );
}

#[test]
fn work_that_was_not_attempted_is_not_a_failure_wherever_the_chain_says_so() {
    let failure = Failure::typed(Evidence::http(400)).caused_by(Failure::refused(None));
    let found = Classifier::built_in().classify(&failure, 1);
    assert_eq!((found.category, found.rule.to_string().as_str()), (Category::Transient, "breaker"));
}

#[test]
fn a_hint_is_capped_at_a_day() {
    let hint = |span| {
        let failure = Failure::new("x").with_retry_after(span);
        Classifier::built_in().classify(&failure, 1).retry_after
    };
    assert_eq!(hint(Span::from_secs(5)), Some(Span::from_secs(5)));
    assert_eq!(hint(Span::from_days(400)), Some(Span::from_hours(24)));
}
