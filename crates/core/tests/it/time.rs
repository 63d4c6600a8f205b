//! Times and spans and their text forms.

use proptest::prelude::*;
use redrive_core::{Span, Time};

#[test]
fn durations_are_parsed_like_in_go() {
    let cases = [
        ("0", 0),
        ("0s", 0),
        ("-0s", 0),
        ("300ms", 300_000),
        ("1.5h", 5_400_000_000),
        ("2h45m", 9_900_000_000),
        ("1h1m1.5s", 3_661_500_000),
        (".5s", 500_000),
        ("1.s", 1_000_000),
        ("+5m", 300_000_000),
        ("7us", 7),
        ("7µs", 7),
        ("7μs", 7),
        ("1999ns", 1),
        ("0.000000000000000000000000001s", 0),
        ("2562047h", 9_223_369_200_000_000),
    ];
    for (text, micros) in cases {
        assert_eq!(text.parse(), Ok(Span::from_micros(micros)), "{text}");
    }
}

#[test]
fn invalid_durations_are_rejected_with_the_texts_of_the_queue_api() {
    let error = |text: &str| text.parse::<Span>().unwrap_err().to_string();
    assert_eq!(error("foo"), "time: invalid duration \"foo\"");
    assert_eq!(error(""), "time: invalid duration \"\"");
    assert_eq!(error("."), "time: invalid duration \".\"");
    assert_eq!(error("+"), "time: invalid duration \"+\"");
    assert_eq!(error("1s "), "time: unknown unit \"s \" in duration \"1s \"");
    assert_eq!(error("10"), "time: missing unit in duration \"10\"");
    assert_eq!(error("10x"), "time: unknown unit \"x\" in duration \"10x\"");
    assert_eq!(error("1d"), "time: unknown unit \"d\" in duration \"1d\"");
    assert_eq!(error("9999999h"), "time: invalid duration \"9999999h\"");
    assert_eq!(error("-1s"), "time: negative duration \"-1s\"");
    assert_eq!(error("--0s"), "time: invalid duration \"--0s\"");
    assert_eq!(error("-+0s"), "time: invalid duration \"-+0s\"");
    assert!(error(&"-".repeat(200_000)).starts_with("time: invalid"), "signs do not recurse");
}

#[test]
fn days_and_weeks_are_units_of_people_only() {
    for (text, span) in [
        ("3d", Span::from_days(3)),
        ("1w", Span::from_days(7)),
        ("1.5d", Span::from_hours(36)),
        ("1w1d1h1ms", Span::from_hours(8 * 24 + 1).saturating_add(Span::from_millis(1))),
        ("90s", Span::from_secs(90)),
    ] {
        assert_eq!(Span::parse_with_days(text), Ok(span), "{text}");
    }
    for text in ["", "d", "3", "3y", "-3d", "3 d", "99999999w"] {
        assert!(Span::parse_with_days(text).is_err(), "{text:?}");
    }
}

#[test]
fn durations_are_formatted_like_in_go() {
    let cases = [
        (Span::ZERO, "0s"),
        (Span::from_micros(7), "7µs"),
        (Span::from_micros(1_500), "1.5ms"),
        (Span::from_millis(900), "900ms"),
        (Span::from_millis(1_500), "1.5s"),
        (Span::from_secs(60), "1m0s"),
        (Span::from_mins(16), "16m0s"),
        (Span::from_hours(24), "24h0m0s"),
        (Span::from_micros(3_600_000_001), "1h0m0.000001s"),
    ];
    for (span, text) in cases {
        assert_eq!(span.to_string(), text);
    }
}

#[test]
fn times_have_the_bounds_of_the_calendar() {
    assert_eq!(Time::MIN.to_string(), "0001-01-01T00:00:00.000Z");
    assert_eq!(Time::MAX.to_string(), "9999-12-31T23:59:59.999Z");
    assert_eq!(Time::EPOCH.to_string(), "1970-01-01T00:00:00.000Z");
    assert_eq!(Time::MAX.to_string().parse(), Ok(Time::MAX));
    assert_eq!("2026-11-15T12:00:00.25+01:30".parse(), "2026-11-15T10:30:00.25Z".parse::<Time>());
    assert!("2026-11-15T12:00:00".parse::<Time>().is_err(), "a time without a zone is not a point in time");
    assert_eq!(Time::from_micros(i64::MAX), Time::MAX);
    assert_eq!(Time::from_micros(i64::MIN), Time::MIN);
    assert_eq!(Time::MAX.saturating_add(Span::MAX), Time::MAX);
    assert_eq!(Time::MIN.saturating_sub(Span::MAX), Time::MIN);
    assert_eq!(Time::MAX.since(Time::MIN), Span::MAX);
    assert_eq!(Time::from_secs(7).since(Time::from_secs(3)), Span::from_secs(4));
    assert_eq!(Time::MIN.since(Time::MAX), Span::ZERO);
    assert_eq!(Time::from_micros(-1).as_secs(), -1);
}

proptest! {
    #[test]
    fn a_formatted_span_can_be_parsed(micros in any::<u64>()) {
        let span = Span::from_micros(micros);
        prop_assert_eq!(span.to_string().parse(), Ok(span));
    }

    #[test]
    fn a_formatted_time_can_be_parsed_to_the_millisecond(micros in Time::MIN.as_micros()..=Time::MAX.as_micros()) {
        let time = Time::from_micros(micros);
        let read: Time = time.to_string().parse().unwrap();
        let earlier_or_later = time.since(read).max(read.since(time));
        prop_assert!(earlier_or_later < Span::from_millis(1));
    }

    #[test]
    fn arbitrary_text_is_rejected_without_a_panic(text in any::<String>()) {
        prop_assert!(text.parse::<Span>().is_err() || !text.is_empty());
        prop_assert!(text.parse::<Time>().is_err() || !text.is_empty());
    }
}
