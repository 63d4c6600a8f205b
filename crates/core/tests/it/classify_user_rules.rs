//! User rules.

use redrive_core::{Category, Classifier, Evidence, Failure, RetryPolicy, RuleSpec, Span};
use serde_json::json;

fn cel(name: &str, when: &str, category: &str) -> RuleSpec {
    RuleSpec { name: name.into(), when: Some(when.into()), category: Some(category.into()), ..RuleSpec::default() }
}

fn regex(name: &str, pattern: &str, category: &str) -> RuleSpec {
    RuleSpec { name: name.into(), regex: Some(pattern.into()), category: Some(category.into()), ..RuleSpec::default() }
}

#[test]
fn user_rules_are_evaluated_in_order_and_before_built_in_rules() {
    let classifier = Classifier::with_rules(&[
        regex("first", "quota of tenant (?:a|b)", "permission"),
        regex("second", "quota", "transient"),
    ])
    .unwrap();
    let failure = Failure::new("quota of tenant b").with_evidence(Evidence::http(404));
    let found = classifier.classify(&failure, 1);
    assert_eq!((found.category, found.rule.to_string().as_str()), (Category::Permission, "user:first"));
    assert_eq!(found.grounds.to_string(), "\"quota of tenant b\" in the error");

    let failure = Failure::new("x").caused_by(Failure::new("quota of tenant c"));
    let found = classifier.classify(&failure, 1);
    assert_eq!((found.category, found.grounds.to_string().as_str()), (Category::Transient, "\"quota\" in cause 1"));
}

#[test]
fn a_condition_sees_all_documented_variables() {
    let mut failure = Failure::new("no seats").caused_by(Failure::new("inner").with_evidence(Evidence::http(409)));
    failure.error.code = Some("E17".into());
    failure.error.kind = Some("booking.full".parse().unwrap());
    failure.parts = vec!["hall-1".into(), "hall-2".into()];
    failure.metadata.insert("tenant".into(), "acme".into());
    let conditions = [
        "type == 'booking.full'",
        "type.startsWith('booking.')",
        "code == 'E17'",
        "http == 409",
        "http >= 400 && http < 500",
        "grpc == -1",
        "sqlstate == ''",
        "message.contains('seats')",
        "message.matches('^no s.ats$')",
        "chain.size() == 2 && chain[1] == 'inner'",
        "chain.exists(c, c.contains('inner'))",
        "parts.exists(p, p == 'hall-2')",
        "'hall-1' in repos",
        "metadata.tenant == 'acme'",
        "'tenant' in metadata && metadata['tenant'] == 'acme'",
        "attempt == 3",
    ];
    for condition in conditions {
        let classifier = Classifier::with_rules(&[cel("it", condition, "resource")]).expect(condition);
        let found = classifier.classify(&failure, 3);
        assert_eq!(found.rule.to_string(), "user:it", "{condition}: {:?}", found.broken_rule);
        assert_eq!(found.category, Category::Resource);
        let other = Failure::new("something else");
        let passed = classifier.classify(&other, 1);
        let holds_for_all = ["grpc == -1", "sqlstate == ''"].contains(&condition);
        assert_eq!(passed.rule.to_string() == "user:it", holds_for_all, "{condition}");
    }
}

#[test]
fn a_rule_that_cannot_be_evaluated_is_skipped_and_reported() {
    let classifier = Classifier::with_rules(&[
        cel("needs-tenant", "metadata.tenant == 'secret-payload'", "resource"),
        cel("next", "message == 'boom'", "network"),
    ])
    .unwrap();
    let failure = Failure::new("boom");
    let found = classifier.classify(&failure, 1);
    assert_eq!(found.rule.to_string(), "user:next");
    let broken = found.broken_rule.expect("a rule failed");
    assert_eq!(&*broken.rule, "needs-tenant");
    assert!(!broken.to_string().contains("secret-payload"), "{broken}");
}

#[test]
fn a_rule_may_set_policy_retries_and_delay_without_a_category() {
    let spec = RuleSpec {
        name: "slow".into(),
        regex: Some("^Read".into()),
        policy: Some("LINEAR".into()),
        max_retries: Some("7".into()),
        ..RuleSpec::default()
    };
    let delayed = RuleSpec { policy: None, delay: Some("90s".into()), ..spec.clone() };
    let delayed = Classifier::with_rules(&[delayed]).unwrap();
    let classifier = Classifier::with_rules(&[spec]).unwrap();
    let failure = Failure::new("Read timed out");
    let found = classifier.classify(&failure, 1);
    assert_eq!((found.category, found.rule.to_string().as_str()), (Category::Network, "user:slow"));
    assert_eq!(found.overrides.policy, Some(RetryPolicy::Linear));
    assert_eq!(found.overrides.max_retries, Some(7));
    assert_eq!(delayed.classify(&failure, 1).overrides.delay, Some(Span::from_secs(90)));
}

#[test]
fn a_regex_is_searched_in_the_configured_field() {
    let by_field = |field: &str| {
        let spec = RuleSpec { field: Some(field.into()), ..regex("it", "^X1$", "resource") };
        Classifier::with_rules(&[spec]).unwrap()
    };
    let mut failure = Failure::of_kind("X1".parse().unwrap(), "msg");
    assert_eq!(by_field("type").classify(&failure, 1).rule.to_string(), "user:it");
    assert_eq!(by_field("code").classify(&failure, 1).rule.to_string(), "default");
    failure.error.code = Some("X1".into());
    assert_eq!(by_field("code").classify(&failure, 1).rule.to_string(), "user:it");
    assert_eq!(by_field("message").classify(&failure, 1).rule.to_string(), "default");
}

#[test]
fn the_message_is_that_of_the_outermost_error_that_has_one() {
    let classifier = Classifier::with_rules(&[cel("it", "message == 'inner'", "resource")]).unwrap();
    let failure = Failure::typed(Evidence::http(500)).caused_by(Failure::new("inner"));
    assert_eq!(classifier.classify(&failure, 1).rule.to_string(), "user:it");
}

#[test]
fn conditions_see_lists_truncated_to_the_length_of_the_cost_limit() {
    let rule = cel("it", "parts.size() == 64 && metadata.size() == 64", "resource");
    let classifier = Classifier::with_rules(&[rule]).unwrap();
    let mut failure = Failure::new("x");
    failure.parts = (0..1_000).map(|number| number.to_string()).collect();
    failure.metadata = (0..1_000).map(|number| (number.to_string(), "".into())).collect();
    assert_eq!(classifier.classify(&failure, 1).rule.to_string(), "user:it");
}

fn with_order() -> Failure {
    let mut failure = Failure::new("x");
    let lines = json!([{ "sku": "x", "count": 2 }, { "sku": "y", "count": 0.5 }]);
    failure.metadata = serde_json::from_value(json!({
        "tenant": "acme", "amount": 250, "rate": 0.25, "huge": u64::MAX, "urgent": true, "nothing": null,
        "tags": ["vip", "eu"], "order": { "id": "o-17", "lines": lines },
    }))
    .unwrap();
    failure
}

#[test]
fn a_condition_can_access_nested_metadata() {
    let failure = with_order();
    for condition in [
        "metadata.order.lines[0].sku == 'x'",
        "metadata['order']['lines'][1]['count'] < 1",
        "metadata.amount > 100 && metadata.amount == 250 && metadata.amount < 250.5",
        "metadata.rate > 0 && metadata.rate * 4.0 == 1.0",
        "metadata.huge > 9223372036854775807",
        "metadata.urgent == true",
        "metadata.nothing == null",
        "'vip' in metadata.tags && metadata.tags.size() == 2",
        "'lines' in metadata.order && !('total' in metadata.order)",
        "has(metadata.order.id) && !has(metadata.order.total)",
        "metadata.tags.exists(tag, tag.startsWith('e'))",
        "metadata.order.lines.all(line, line.count > 0) && metadata.order.lines[0].exists(key, key == 'sku')",
        "metadata.order.exists(key, metadata.order[key] == 'o-17')",
        "metadata.order.id.matches('^o-')",
    ] {
        let classifier = Classifier::with_rules(&[cel("it", condition, "resource")]).expect(condition);
        let found = classifier.classify(&failure, 1);
        assert_eq!(found.rule.to_string(), "user:it", "{condition}: {:?}", found.broken_rule);
    }
}

#[test]
fn a_missing_or_mistyped_metadata_field_makes_the_rule_fail() {
    let failure = with_order();
    for condition in [
        "metadata.order.total == 1",
        "metadata.order.lines[2].sku == 'x'",
        "metadata.tenant > 100",
        "metadata.tenant.name == 'acme'",
        "metadata.amount.exists(digit, digit == 2)",
    ] {
        let classifier = Classifier::with_rules(&[cel("it", condition, "resource")]).expect(condition);
        let found = classifier.classify(&failure, 1);
        assert_eq!(found.rule.to_string(), "default", "{condition}");
        assert_eq!(&*found.broken_rule.expect(condition).rule, "it");
    }
}

#[test]
fn conditions_see_nested_lists_and_objects_truncated() {
    let mut failure = Failure::new("x");
    let object: serde_json::Map<_, _> = (0..100).map(|number| (number.to_string(), json!(0))).collect();
    let inner = json!({ "list": vec![0; 100], "object": object, "text": "x".repeat(100_000) });
    failure.metadata.insert("a".into(), json!([inner]));
    let rule = cel(
        "it",
        "metadata.a[0].list.size() == 64 && metadata.a[0].object.size() == 64 && metadata.a[0].text.size() == 8192",
        "resource",
    );
    let classifier = Classifier::with_rules(&[rule]).unwrap();
    let found = classifier.classify(&failure, 1);
    assert_eq!(found.rule.to_string(), "user:it", "{:?}", found.broken_rule);
}
