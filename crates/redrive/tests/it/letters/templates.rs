use serde_json::json;

use super::{captured, show, with_dead};

const BANK: [&str; 6] = ["--regex", "bank .* out", "--retry-policy", "linear", "--note", "call them first"];

fn templates<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["letters", "templates"], arguments].concat()
}

#[test]
fn templates_are_set_previewed_listed_and_removed() {
    let bed = with_dead();
    let id = captured(&bed, &["payload", "--source-id", "a", "--error", "the bank timed out"]);
    let preview = templates(&[&["preview", "dead", "bank"], &BANK[..]].concat());
    let counted = bed.objects(&preview).remove(0);
    assert_eq!(
        (&counted["looked_at"], &counted["matches"], &counted["policy_changes"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(counted["sample"], json!([id]));
    let table = bed.done(&preview);
    assert!(table.starts_with("1 of 1 live letters match"), "{table}");
    let set = bed.objects(&templates(&[&["set", "dead", "bank"], &BANK[..]].concat())).remove(0);
    assert_eq!((&set["name"], &set["version"], &set["position"]), (&json!("bank"), &json!(1), &json!(1)));
    assert_eq!(bed.objects(&templates(&["preview", "dead", "bank"])).remove(0)["matches"], json!(1));
    let letter = show(&bed, &captured(&bed, &["payload", "--source-id", "b", "--error", "the bank timed out"]));
    assert_eq!(
        (&letter["retry_policy"], &letter["metadata"]["matched_template"]),
        (&json!("linear"), &json!("bank@1"))
    );
    let listed = bed.done(&templates(&["list", "dead"]));
    assert!(listed.contains("message ~ bank .* out"), "{listed}");
    assert!(bed.objects(&templates(&["remove", "dead", "bank"])).is_empty());
    assert_eq!(bed.run(&templates(&["remove", "dead", "bank"])).code, 3);
    assert_eq!(bed.run(&templates(&["set", "dead", "x", "--regex", "x", "--when", "true"])).code, 2);
    let wrong = bed.run(&templates(&["set", "dead", "x", "--regex", "("]));
    assert!(wrong.code != 0 && !wrong.stderr.is_empty());
}
