//! Custom classification rules of the configuration.

use serde_json::json;

use super::{Target, capture, failure, get, targets};
use crate::outcome;
use crate::retries::until;
use crate::test_server::{TestServer, command, folder};

const RULES: &str = "
[[classify.rules]]
name = 'bank-closed'
regex = 'bank is closed'
category = 'resource'
max_retries = 9

[[classify.rules]]
name = 'teapot'
when = 'http == 418 && attempt > 1'
category = 'transient'
delay = '7m'
";

#[test]
fn classify_rules_apply_to_captures_explanations_and_retries() {
    let target = Target::new();
    let server = TestServer::frozen_with("environment-rules", &format!("{}{RULES}", targets(&target.url)));
    let explained = server.objects(&["letters", "explain", "dead", "the bank is closed"]).remove(0);
    assert_eq!((&explained["category"], &explained["rule"]), (&json!("resource"), &json!("user:bank-closed")));
    let captured = server.objects(&["letters", "capture", "dead", "x", "--error", "the bank is closed"]).remove(0);
    assert_eq!((&captured["rule"], &captured["max_retries"]), (&json!("user:bank-closed"), &json!(9)));

    // A failed retry that the rule classifies otherwise than the built-in rules.
    let mut derived = failure("s-1");
    derived["retry_policy"] = json!("");
    derived["fault"] = json!({ "error": "timed out", "category": "network" });
    let id = capture(&server, &[derived]).remove(0);
    server.advance("1m");
    target.next().answer(418);
    until("a retry that failed", || get(&server, &id)["letter"]["retry_count"] == 1);
    let shown = get(&server, &id);
    assert_eq!((&shown["matched_rule"], &shown["letter"]["category"]), (&json!("user:teapot"), &json!("transient")));
    assert_eq!(shown["letter"]["next_retry_at"], "2026-11-15T12:08:00Z");

    let configured = server.objects(&["letters", "configure", "dead"]);
    let rules = configured.iter().find(|setting| setting["name"] == "classify.rules").unwrap();
    assert_eq!((&rules["value"], &rules["source"]), (&json!("bank-closed, teapot"), &json!("file")));
}

#[test]
fn an_invalid_rule_is_rejected_by_the_check_and_at_the_start() {
    let folder = folder("environment-rules-wrong");
    let rule = |rest: &str| format!("[[classify.rules]]\nname = 'fine'\nregex = 'x'\ncategory = 'network'\n{rest}");
    for (text, expected) in [
        (rule("[[classify.rules]]\nname = 'mine'\nregex = '('\n"), "classify.rules: rule 2, 'mine': regex is invalid"),
        (rule("[[classify.rules]]\nname = 'mine'\n"), "classify.rules: rule 2, 'mine': condition is"),
        (rule("[[classify.rules]]\nname = 'fine'\nregex = 'y'\n"), "classify.rules[1].name is"),
        (rule("colour = 'red'\n"), "unknown field `colour`"),
    ] {
        std::fs::write(folder.path().join("redrive.toml"), &text).unwrap();
        for arguments in [&["config", "check", "redrive.toml"][..], &["serve", "--memory", "--listen", "127.0.0.1:0"]] {
            let mut command = command(arguments);
            command.current_dir(folder.path());
            let ran = outcome(command.spawn().unwrap());
            assert_ne!(ran.code, 0);
            assert!(ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
        }
    }
    std::fs::write(folder.path().join("redrive.toml"), RULES).unwrap();
    let mut check = command(&["config", "check", "redrive.toml"]);
    check.current_dir(folder.path());
    assert_eq!(outcome(check.spawn().unwrap()).code, 0);
}
