use serde_json::json;

use super::{captured, show, with_dead, with_target};

const BANK: [&str; 6] = ["--regex", "bank .* out", "--retry-policy", "linear", "--note", "call them first"];

fn templates<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["letters", "templates"], arguments].concat()
}

#[test]
fn templates_are_set_previewed_listed_and_removed() {
    let server = with_dead();
    let id = captured(&server, &["payload", "--source-id", "a", "--error", "the bank timed out"]);
    let preview = templates(&[&["preview", "dead", "bank"], &BANK[..]].concat());
    let counted = server.objects(&preview).remove(0);
    assert_eq!(
        (&counted["looked_at"], &counted["matches"], &counted["policy_changes"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(counted["sample"], json!([id]));
    let table = server.run_ok(&preview);
    assert!(table.starts_with("1 of 1 live letters match"), "{table}");
    let set = server.objects(&templates(&[&["set", "dead", "bank"], &BANK[..]].concat())).remove(0);
    assert_eq!((&set["name"], &set["version"], &set["position"]), (&json!("bank"), &json!(1), &json!(1)));
    assert_eq!(server.objects(&templates(&["preview", "dead", "bank"])).remove(0)["matches"], json!(1));
    let letter = show(&server, &captured(&server, &["payload", "--source-id", "b", "--error", "the bank timed out"]));
    assert_eq!(
        (&letter["retry_policy"], &letter["metadata"]["matched_template"]),
        (&json!("linear"), &json!("bank@1"))
    );
    let listed = server.run_ok(&templates(&["list", "dead"]));
    assert!(listed.contains("message ~ bank .* out"), "{listed}");
    assert!(server.objects(&templates(&["remove", "dead", "bank"])).is_empty());
    assert_eq!(server.run(&templates(&["remove", "dead", "bank"])).code, 3);
    assert_eq!(server.run(&templates(&["set", "dead", "x", "--regex", "x", "--when", "true"])).code, 2);
    let wrong = server.run(&templates(&["set", "dead", "x", "--regex", "("]));
    assert!(wrong.code != 0 && !wrong.stderr.is_empty());
}

#[test]
fn a_template_sets_a_category_and_a_delay() {
    let server = with_target("letters-a-template-sets-a-category-and-a-delay");
    let options = ["--regex", "invalid", "--category", "resource", "--delay", "90s"];
    captured(&server, &["payload", "--source-id", "a", "--error", "invalid account"]);
    let preview = templates(&[&["preview", "dead", "closed"], &options[..]].concat());
    assert_eq!(server.objects(&preview).remove(0)["category_changes"], 1);
    assert!(server.run_ok(&preview).contains("another category     1"));
    let set = server.objects(&templates(&[&["set", "dead", "closed"], &options[..]].concat())).remove(0);
    assert_eq!((&set["category"], &set["delay"]), (&json!("resource"), &json!("1m30s")));
    let listed = server.run_ok(&templates(&["list", "dead"]));
    assert!(listed.contains("resource") && listed.contains("after 1m30s"), "{listed}");
    let letter = show(&server, &captured(&server, &["payload", "--source-id", "b", "--error", "invalid account"]));
    assert_eq!((&letter["category"], &letter["matched_rule"]), (&json!("resource"), &json!("user:closed")));
    assert_eq!(letter["next_retry_at"], "2026-11-15T12:01:30Z");
    let explained = server.objects(&["letters", "explain", "dead", "invalid account"]).remove(0);
    assert_eq!((&explained["category"], &explained["rule"]), (&json!("resource"), &json!("user:closed")));
    let both = [&["set", "dead", "x", "--regex", "x", "--delay", "1s", "--retry-policy", "linear"][..]].concat();
    assert_eq!(server.run(&templates(&both)).code, 2);
}
