use serde_json::{Value, json};

use super::{captured, show, with_dead};

#[test]
fn a_queue_is_told_how_to_treat_its_letters() {
    let bed = with_dead();
    let setting = |settings: &[Value], name: &str| settings.iter().find(|setting| setting["name"] == name).cloned();
    let looked = bed.objects(&["letters", "configure", "dead"]);
    assert_eq!(
        setting(&looked, "max_size"),
        Some(json!({ "name": "max_size", "value": "10000", "source": "default" })),
    );
    let changed =
        bed.objects(&["dlq", "configure", "dead", "default_max_retries=1", "max_size = 500", "--reason", "r"]);
    assert_eq!(setting(&changed, "max_size"), Some(json!({ "name": "max_size", "value": "500", "source": "queue" })),);
    let letter = show(&bed, &captured(&bed, &["payload", "--source-id", "a", "--error", "timed out"]));
    assert_eq!(letter["max_retries"], 1);
    let table = bed.done(&["letters", "configure", "dead", "--reset", "max_size"]);
    assert!(table.lines().any(|line| line.split_whitespace().eq(["max_size", "10000", "default"])), "{table}");
}

#[test]
fn a_queue_is_told_its_own_delays_as_people_write_them() {
    let bed = with_dead();
    bed.done(&["letters", "configure", "dead", "custom_backoff=exponential base=10s factor=3 cap=1m", "--reason", "r"]);
    let custom = ["--retry-policy", "custom"];
    let id = captured(&bed, &[&["payload", "--source-id", "a", "--error", "boom"][..], &custom[..]].concat());
    assert_eq!(show(&bed, &id)["next_retry_at"], "2026-11-15T12:00:10Z");
    let told = bed.objects(&[&["explain", "boom", "--queue", "dead"][..], &custom[..]].concat()).remove(0);
    let delays: Vec<_> = told["schedule"].as_array().unwrap().iter().map(|retry| &retry["delay_seconds"]).collect();
    assert_eq!(delays, [10.0, 30.0, 60.0]);
    let here = bed.run(&[&["explain", "boom"][..], &custom[..]].concat());
    assert_ne!(here.code, 0);
    assert!(here.stderr.contains("custom where a queue has a custom_backoff"), "{}", here.stderr);
    let wrong = bed.run(&["letters", "configure", "dead", "custom_backoff=every now and then"]);
    assert!(wrong.code != 0 && wrong.stderr.contains("list 1s 5s 1m"), "{}", wrong.stderr);
}

#[test]
fn a_setting_that_cannot_be_is_told_with_what_may_stand_there() {
    let bed = with_dead();
    let wrong = bed.run(&["letters", "configure", "dead", "max_size=7"]);
    assert_ne!(wrong.code, 0);
    assert!(wrong.stderr.contains("100 to 100000, more only with dlq_allow_large"), "{}", wrong.stderr);
    assert_eq!(bed.run(&["letters", "configure", "dead", "max_size"]).code, 2);
    assert_eq!(bed.run(&["letters", "configure", "nowhere", "max_size=500"]).code, 3);
}
