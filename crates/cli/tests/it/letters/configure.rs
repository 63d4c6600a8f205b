use serde_json::{Value, json};

use super::{captured, show, with_dead, with_target};

#[test]
fn a_queue_overrides_letter_settings() {
    let server = with_dead();
    let setting = |settings: &[Value], name: &str| settings.iter().find(|setting| setting["name"] == name).cloned();
    let initial = server.objects(&["letters", "configure", "dead"]);
    assert_eq!(
        setting(&initial, "max_size"),
        Some(json!({ "name": "max_size", "value": "10000", "source": "default", "allowed": "100 to 100000",
            "description": "live letters that captures may create" })),
    );
    let of_server = setting(&initial, "max_parallel").unwrap();
    assert_eq!((&of_server["allowed"], &of_server["description"]), (&json!(null), &json!(null)));
    let changed =
        server.objects(&["dlq", "configure", "dead", "default_max_retries=1", "max_size = 500", "--reason", "r"]);
    let max_size = setting(&changed, "max_size").unwrap();
    assert_eq!((&max_size["value"], &max_size["source"]), (&json!("500"), &json!("queue")));
    let letter = show(&server, &captured(&server, &["payload", "--source-id", "a", "--error", "timed out"]));
    assert_eq!(letter["max_retries"], 1);
    let ran = server.run(&["letters", "configure", "dead", "--reset", "max_size"]);
    let row = |name: &str| ran.stdout.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&row("max_size"))[..6], ["max_size", "10000", "default", "100", "to", "100000"]);
    assert_eq!(words(&row("default_max_retries"))[..3], ["default_max_retries", "1", "queue"]);
    assert!(row("on_full").contains("reject, overflow"), "{}", ran.stdout);
    let (of_queue, of_server) = ran.stdout.split_once("\n\n").unwrap();
    assert!(of_queue.starts_with("SETTING ") && of_server.starts_with("SETTING OF THE SERVER "), "{}", ran.stdout);
    assert!(!of_queue.contains("max_parallel") && of_server.contains("max_parallel"), "{}", ran.stdout);
    assert_eq!(ran.stderr, "'dead' overrides 1 setting\n");
}

#[test]
fn a_queue_has_its_own_custom_backoff() {
    let server = with_target("letters-a-queue-has-its-own-custom-backoff");
    let backoff = "custom_backoff=exponential base=10s factor=3 cap=1m";
    server.run_ok(&["letters", "configure", "dead", backoff, "--reason", "r"]);
    let custom = ["--retry-policy", "custom"];
    let id = captured(&server, &[&["payload", "--source-id", "a", "--error", "boom"][..], &custom[..]].concat());
    assert_eq!(show(&server, &id)["next_retry_at"], "2026-11-15T12:00:10Z");
    let explained = server.objects(&[&["explain", "boom", "--queue", "dead"][..], &custom[..]].concat()).remove(0);
    let schedule = explained["schedule"].as_array().unwrap();
    let delays: Vec<_> = schedule.iter().map(|retry| &retry["delay_seconds"]).collect();
    assert_eq!(delays, [10.0, 30.0, 60.0]);
    let local = server.run(&[&["explain", "boom"][..], &custom[..]].concat());
    assert_ne!(local.code, 0);
    assert!(local.stderr.contains("custom where a queue has a custom_backoff"), "{}", local.stderr);
    let wrong = server.run(&["letters", "configure", "dead", "custom_backoff=every now and then"]);
    assert!(wrong.code != 0 && wrong.stderr.contains("list 1s 5s 1m"), "{}", wrong.stderr);
}

#[test]
fn an_invalid_value_is_rejected_with_the_allowed_values() {
    let server = with_dead();
    let wrong = server.run(&["letters", "configure", "dead", "max_size=7"]);
    assert_ne!(wrong.code, 0);
    assert!(wrong.stderr.contains("100 to 100000, more only with dlq_allow_large"), "{}", wrong.stderr);
    assert_eq!(server.run(&["letters", "configure", "dead", "max_size"]).code, 2);
    assert_eq!(server.run(&["letters", "configure", "nowhere", "max_size=500"]).code, 3);
}
