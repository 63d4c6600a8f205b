use crate::test_server::folder;
use crate::{file, redrive};

#[test]
fn every_listed_template_can_be_shown() {
    let list = redrive(&["policy", "list"]);
    assert_eq!(list.code, 0);
    let names: Vec<_> = list.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"kafka-consumer"));
    for name in names {
        let shown = redrive(&["policy", "show", name]);
        assert_eq!(shown.code, 0, "{name}: {}", shown.stderr);
        assert_eq!(shown.stdout.lines().count(), 9);
    }
}

#[test]
fn an_error_names_the_field_the_value_and_the_allowed_values() {
    let folder = folder("policy");
    let show = |name: &str, content: &str| {
        let path = file(&folder, name, content);
        let ran = redrive(&["policy", "show", path.to_str().unwrap()]);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
        ran.stderr
    };
    let text = show("zero.toml", "max_attempts = 0");
    assert!(text.contains("max_attempts is invalid: '0'; allowed: 1 or more"), "{text}");
    let text = show("cap.toml", "[backoff.network]\ncurve = 'fixed'\nfirst = '1s'\ncap = '1ms'");
    assert!(text.contains("backoff.network.cap is invalid: '1ms'; allowed: the first delay (1s) or more"), "{text}");
    let text = show("field.toml", "max_atempts = 3");
    assert!(text.contains("unknown field `max_atempts`") && text.contains("max_attempts"), "{text}");
    let text = show("large.toml", &"a".repeat(2_000_000));
    assert!(text.contains("larger than") && text.len() < 300, "{}", text.len());
    let text = show("toml.toml", "max_attempts = ");
    assert!(text.contains("line 1"), "{text}");
}

#[test]
fn an_unknown_policy_is_rejected() {
    let ran = redrive(&["policy", "show", "kafka-consumr"]);
    ran.fails(1, "no such policy template or file: 'kafka-consumr'");
    assert!(ran.stderr.contains("redrive policy list"), "{}", ran.stderr);
}

#[test]
fn show_prints_lists_rules_and_their_effect() {
    let folder = folder("policy");
    let path = file(
        &folder,
        "lists.toml",
        "max_attempts = 3\ninclude = ['transient']\nexclude = ['category:network', 'rate_limit']\n\
         [[rules]]\nname = 'more'\nregex = 'x'\nmax_retries = 20",
    );
    let ran = redrive(&["policy", "show", path.to_str().unwrap()]);
    let expected = [
        "attempts    3 (rule more: 21)",
        "include     transient",
        "exclude     category:network, rate_limit",
        "rules       more",
        "transient   dead-lettered immediately",
        "network     retried without limit, no attempt charged",
        "resource    5m0s, 10m0s",
    ];
    for line in expected {
        assert!(ran.stdout.lines().any(|shown| shown == line), "{line:?} is not in\n{}", ran.stdout);
    }
    let unlimited = redrive(&["policy", "show", "long-outage"]);
    assert!(unlimited.stdout.contains("h0m0s, …"), "{}", unlimited.stdout);
}
