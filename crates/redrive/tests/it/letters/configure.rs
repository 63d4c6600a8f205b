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
fn a_setting_that_cannot_be_is_told_with_what_may_stand_there() {
    let bed = with_dead();
    let wrong = bed.run(&["letters", "configure", "dead", "max_size=7"]);
    assert_ne!(wrong.code, 0);
    assert!(wrong.stderr.contains("100 to 100000, more only with dlq_allow_large"), "{}", wrong.stderr);
    assert_eq!(bed.run(&["letters", "configure", "dead", "max_size"]).code, 2);
    assert_eq!(bed.run(&["letters", "configure", "nowhere", "max_size=500"]).code, 3);
}
