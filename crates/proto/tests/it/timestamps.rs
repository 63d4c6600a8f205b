//! Times on the wire.

use redrive_core::Time;
use redrive_proto::Timestamp;

fn read(text: &str) -> Option<Timestamp> {
    serde_json::from_value(serde_json::Value::from(text)).ok()
}

#[test]
fn digits_are_none_three_six_or_nine() {
    for (nanos, text) in [
        (0, "2026-11-15T12:00:00Z"),
        (120_000_000, "2026-11-15T12:00:00.120Z"),
        (120_001_000, "2026-11-15T12:00:00.120001Z"),
        (1, "2026-11-15T12:00:00.000000001Z"),
    ] {
        let timestamp = Timestamp { seconds: 1_794_744_000, nanos };
        assert_eq!(timestamp.to_string(), text);
        assert_eq!(read(text), Some(timestamp));
    }
}

#[test]
fn the_year_one_is_not_set() {
    assert_eq!(Timestamp::UNSET.to_string(), "0001-01-01T00:00:00Z");
    assert_eq!(Timestamp::UNSET.time(), None);
    assert_eq!(Timestamp::from(None::<Time>), Timestamp::UNSET);
    assert_eq!(read("0001-01-01T00:00:00Z"), Some(Timestamp::UNSET));
}

#[test]
fn microseconds_survive_the_way_there_and_back() {
    for micros in [1, -1, 1_794_744_000_123_456, -62_135_596_799_999_999, 253_402_300_799_999_000] {
        let time = Time::from_micros(micros);
        let timestamp = Timestamp::from(time);
        assert_eq!(timestamp.time(), Some(time));
        assert_eq!(read(&timestamp.to_string()), Some(timestamp));
    }
}

#[test]
fn a_time_outside_the_calendar_is_none() {
    for (seconds, nanos) in
        [(i64::MAX, 0), (i64::MIN, 0), (253_402_300_800, 0), (0, -1), (0, 1_000_000_000), (0, i32::MIN)]
    {
        assert_eq!(Timestamp { seconds, nanos }.time(), None);
    }
}

#[test]
fn zones_are_understood_and_near_misses_refused() {
    assert_eq!(read("1970-01-01T01:00:00+01:00"), Some(Timestamp::default()));
    assert_eq!(read("1969-12-31T23:59:59.5Z"), Some(Timestamp { seconds: -1, nanos: 500_000_000 }));
    for text in [
        "",
        "1970",
        "1970-01-01",
        "1970-01-01 00:00:00Z",
        "1970-01-01t00:00:00Z",
        "1970-01-01T00:00:00",
        "1970-01-01T00:00:00z",
        "1970-01-01T00:00:00+01",
        "1970-02-30T00:00:00Z",
        "10000-01-01T00:00:00Z",
        "0000-12-31T23:59:59Z",
        "1970-01-01T00:00:00Z ",
        "1970-01-01T00:00:00Z[UTC]",
        "0001-01-01T00:00:00+01:00",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}
