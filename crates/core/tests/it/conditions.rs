//! Conditions over fields: times, durations, and keys that may be missing.

use redrive_core::{Condition, ConditionFields, Metadata, Operand, Span, Time};
use serde_json::json;

const FIELDS: ConditionFields<'static> = ConditionFields {
    names: &["failed_at", "due_at", "category", "count", "metadata", "headers"],
    times: &["failed_at", "due_at"],
    maps: &["metadata", "headers"],
};

fn map(json: serde_json::Value) -> Metadata {
    serde_json::from_value(json).unwrap()
}

/// The result at noon, for work that failed an hour ago and has no due time.
fn holds(source: &str) -> Result<bool, &'static str> {
    let condition = Condition::over("filter", source, &FIELDS).unwrap_or_else(|error| panic!("{source}: {error}"));
    let now: Time = "2026-11-15T12:00:00Z".parse().unwrap();
    condition.holds_at(now, |field| match field {
        "failed_at" => Operand::Text(now.saturating_sub(Span::from_hours(1)).to_string()),
        "category" => Operand::Text("network".to_owned()),
        "count" => Operand::Number(3),
        "metadata" => Operand::Map(map(json!({
            "tenant": "acme", "nothing": null, "order": { "id": 17, "lines": [{ "sku": "x" }] }, "tags": ["vip"],
        }))),
        "headers" => Operand::Map(map(json!({ "x-kind": "order" }))),
        _ => Operand::Nothing,
    })
}

fn allowed(source: &str) -> String {
    Condition::over("filter", source, &FIELDS).unwrap_err().allowed
}

#[test]
fn times_are_compared_with_now_and_durations() {
    for (source, expected) in [
        ("failed_at < now()", true),
        ("failed_at > now() - duration('2h')", true),
        ("failed_at > now() - duration('59m')", false),
        ("failed_at + duration('1h') == now()", true),
        ("duration('1h') + failed_at == now()", true),
        ("now() - failed_at == duration('60m')", true),
        ("now() - failed_at > duration('1d')", false),
        ("failed_at - now() < duration('0s')", true),
        ("now() - failed_at >= duration('30m') + duration('30m')", true),
        ("failed_at > now() - (duration('1w') - duration('6d'))", true),
        ("failed_at >= '2026-11-15T11:00:00.000Z' && '2026-11-15T11:30:00.000Z' > failed_at", true),
        ("failed_at.startsWith('2026-11-15')", true),
        ("(category == 'network' ? failed_at : now()) < now()", true),
        ("now() == '2026-11-15T12:00:00.000Z'", true),
    ] {
        assert_eq!(holds(source), Ok(expected), "{source}");
    }
}

#[test]
fn a_missing_time_is_null() {
    assert_eq!(holds("due_at == null && due_at + duration('1h') == null && now() - due_at == null"), Ok(true));
    assert_eq!(holds("due_at != null && due_at < now()"), Ok(false));
    assert_eq!(holds("due_at < now()"), Err("values of different types were combined"));
}

#[test]
fn a_duration_is_no_number() {
    for source in [
        "count == duration('3s')",
        "duration('3s') > 3",
        "count + duration('3s') > 3",
        "3 - duration('3s') > 3",
        "size([duration('3s')]) == 1",
        "category == 'x' ? duration('1s') > duration('2s') : count - duration('1s') == 0",
        "string(duration('1s')) == '1s'",
        "-duration('1s') < duration('1s')",
        "count in [duration('1s')]",
    ] {
        assert!(allowed(source).contains("last_failed_at > now() - duration('2h')"), "{source}: {}", allowed(source));
    }
    for source in ["now() > duration(category) + now()", "duration('2') == duration('2s')", "duration() == duration()"]
    {
        assert!(allowed(source).contains("duration('90s'), duration('2h') or duration('3d')"), "{source}");
    }
    assert!(allowed("now(1) == '1'").contains("now() has no arguments"));
    let plain = Condition::new("filter", "a == now()", &["a"]).unwrap_err();
    assert!(plain.allowed.ends_with("(unknown: now)"), "rules have no clock: {}", plain.allowed);
}

#[test]
fn a_missing_key_is_null() {
    for (source, expected) in [
        ("metadata.tenant == 'acme'", true),
        ("metadata.missing == 'acme'", false),
        ("metadata.missing != 'acme'", true),
        ("metadata.missing == null && metadata['missing'] == null", true),
        ("metadata.nothing == null && has(metadata.nothing) && !has(metadata.missing)", true),
        ("metadata.order.id == 17 && metadata['order']['id'] == 17", true),
        ("metadata.order.lines[0].sku == 'x'", true),
        ("metadata.order.lines[1].sku == 'x' || metadata.order.lines[0].price == 3", false),
        ("metadata.missing.deeper.still == null && metadata.tenant.name == null", true),
        ("has(metadata.order.id) && !has(metadata.order.total) && !has(metadata.missing.id)", true),
        ("'tenant' in metadata && !('missing' in metadata)", true),
        ("'vip' in metadata.tags && !('vip' in metadata.missing)", true),
        ("metadata.tags.exists(tag, tag == 'vip') && !metadata.missing.exists(tag, tag == 'vip')", true),
        ("metadata.missing.all(tag, tag == 'vip')", true),
        ("headers['x-kind'] == 'order' && headers.other == null", true),
        ("['a'].exists(metadata, metadata == 'a')", true),
    ] {
        assert_eq!(holds(source), Ok(expected), "{source}");
    }
    assert_eq!(holds("metadata.missing > 3"), Err("values of different types were combined"));
    assert_eq!(holds("metadata[category] == 'x'"), Err("a key is missing; test for it first with 'key' in map"));
}

#[test]
fn a_rewritten_condition_reports_what_it_reads_and_demands() {
    let source = "category == 'network' && metadata.tenant == 'acme' && failed_at > now() - duration('2h')";
    let condition = Condition::over("filter", source, &FIELDS).unwrap();
    assert_eq!(condition.reads(), ["category", "metadata", "failed_at"]);
    assert_eq!(condition.demands(), [("category", "network")]);
}
