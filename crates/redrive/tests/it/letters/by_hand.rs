use serde_json::json;

use super::{UNKNOWN, capture, show, with_dead};
use crate::file;

#[test]
fn a_letter_is_put_away_and_brought_back() {
    let bed = with_dead();
    let id = capture(&bed, "order-17");
    let ran = bed.run(&["letters", "archive", "dead", &id, "--reason", "the customer has gone"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", "archived 1 letter of 'dead'\n"));
    assert_eq!(show(&bed, &id)["status"], "archived");
    let again = bed.objects(&["letters", "archive", "dead", &id]);
    assert_eq!(again, [json!({ "queue_name": "dead", "archived": 0 })], "it was so already");
    assert_eq!(bed.objects(&["dlq", "unarchive", "dead", &id]), [json!({ "queue_name": "dead", "restored": 1 })]);
    assert_eq!(show(&bed, &id)["status"], "pending");
    let again = bed.objects(&["letters", "restore", "dead", &id]);
    assert_eq!(again, [json!({ "queue_name": "dead", "restored": 0 })], "it was so already");
}

#[test]
fn letters_are_named_by_ids_or_by_what_list_prints() {
    let bed = with_dead();
    let lines = "x\n".repeat(1_500);
    bed.run_with(&["letters", "capture", "dead", "--source-id", "n"], lines.as_bytes());
    let listed = bed.done(&["letters", "list", "dead", "--output", "json"]);
    let ran = bed.run_with(&["letters", "archive", "dead", "-", "-j"], listed.as_bytes());
    assert_eq!(ran.stdout, "{\"archived\":1500,\"queue_name\":\"dead\"}\n", "{}", ran.stderr);

    let ids: Vec<String> = bed
        .objects(&["letters", "list", "dead", "-l", "3"])
        .iter()
        .map(|l| l["id"].as_str().unwrap().to_owned())
        .collect();
    let ran = bed.run_with(&["letters", "restore", "dead", "-"], format!("{}\n\n {} \r\n", ids[0], ids[1]).as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "restored 2 letters of 'dead'\n"));
    let both = bed.run(&["letters", "archive", "dead", &ids[0], &ids[1]]);
    assert_eq!(both.stderr, "archived 2 letters of 'dead'\n");

    let ran = bed.run_with(&["letters", "restore", "dead", "-"], b"{\"name\":\"no id\"}\n");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("line 1 is no letter"), "{}", ran.stderr);
    assert_eq!(bed.run_with(&["letters", "archive", "dead", "-"], b"").stderr, "archived 0 letters of 'dead'\n");
}

#[test]
fn a_request_that_is_refused_changes_nothing_and_those_before_it_are_told() {
    let bed = with_dead();
    let lines = "x\n".repeat(1_001);
    bed.run_with(&["letters", "capture", "dead", "--source-id", "n"], lines.as_bytes());
    let mut ids: Vec<String> = bed
        .objects(&["letters", "list", "dead"])
        .iter()
        .map(|letter| letter["id"].as_str().unwrap().to_owned())
        .collect();
    let one = bed.run(&["letters", "archive", "dead", &ids[0], UNKNOWN]);
    assert_eq!((one.code, show(&bed, &ids[0])["status"].as_str()), (3, Some("pending")));
    assert!(one.stderr.starts_with(&format!("error: Task {UNKNOWN} not found")), "{}", one.stderr);
    ids.push(UNKNOWN.to_owned());
    let ran = bed.run_with(&["letters", "archive", "dead", "-"], ids.join("\n").as_bytes());
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.starts_with("archived 1000 letters, and none from then on\nerror: "), "{}", ran.stderr);
    assert_eq!(bed.objects(&["letters", "list", "dead", "-s", "pending"]).len(), 1);
    assert_eq!(bed.run(&["letters", "archive", "nobody", UNKNOWN]).code, 3);
    assert_eq!(bed.run(&["letters", "archive", "dead", "nonsense"]).code, 3, "neither an id nor a source id");
    assert_eq!(bed.run(&["letters", "archive", "dead"]).code, 2);
}

#[test]
fn what_is_gone_for_good_is_asked_for() {
    let bed = with_dead();
    let (first, second) = (capture(&bed, "a"), capture(&bed, "b"));
    let asked = bed.run(&["letters", "purge", "dead", &first]);
    assert_eq!(asked.code, 2);
    assert!(asked.stderr.contains("--yes") && show(&bed, &first)["status"] == "pending", "{}", asked.stderr);
    assert_eq!(bed.run(&["letters", "purge", "dead", &first, "--yes"]).stderr, "purged 1 letter of 'dead'\n");
    let listed = bed.done(&["letters", "list", "dead", "-j"]);
    let ran = bed.run_with(&["dlq", "purge", "dead", "-", "-f", "-j"], format!("{listed}{first}\n").as_bytes());
    assert_eq!(ran.stdout, "{\"purged\":1,\"queue_name\":\"dead\"}\n", "what is gone is passed over");
    assert_eq!(bed.run(&["letters", "show", "dead", &second]).code, 3);
}

#[test]
fn an_edit_changes_what_is_given_and_keeps_the_rest() {
    let bed = with_dead();
    let id = capture(&bed, "order-17");
    let edit = ["letters", "edit", "dead", &id];
    let before = show(&bed, &id)["revision"].as_i64().unwrap();
    let ran = bed.run(&[&edit[..], &["--payload", "new", "--header", "fixed=yes", "--header", "by=me"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        ran.stderr,
        format!("changed letter {id} of 'dead': revision {}, pending, next retry 2026-11-15T12:01:00Z\n", before + 1)
    );
    let terms = ["--retry-policy", "linear", "--max-retries", "9", "--priority", "low", "--reason", "case 9"];
    let edited = bed.objects(&[&edit[..], &terms].concat()).remove(0);
    assert_eq!((&edited["retry_policy"], &edited["max_retries"]), (&json!("linear"), &json!(9)));
    assert_eq!((&edited["priority"], &edited["revision"]), (&json!("low"), &json!(before + 2)));
    let shown = bed.objects(&["letters", "show", "dead", &id, "--reveal", "--reason", "a test"]).remove(0);
    assert_eq!((&shown["content"]["payload"], &shown["original"]["payload"]), (&json!("new"), &json!("payload of it")));
    assert_eq!(shown["content"]["headers"][1], json!({ "name": "by", "value": "me" }));

    let path = file("edited.bin", "of a file\n");
    bed.done(&[&edit[..], &["--payload-file", path.to_str().unwrap(), "--no-headers"]].concat());
    let shown = bed.objects(&["letters", "show", "dead", &id, "--reveal", "--reason", "a test"]).remove(0);
    assert_eq!((&shown["content"]["payload"], &shown["content"]["headers"]), (&json!("of a file\n"), &json!([])));
}

#[test]
fn an_edit_of_what_somebody_else_changed_is_refused() {
    let bed = with_dead();
    let id = capture(&bed, "order-17");
    let edit = |arguments: &[&str]| bed.run(&[&["letters", "edit", "dead", &id], arguments].concat());
    let seen = show(&bed, &id)["revision"].to_string();
    assert_eq!(edit(&["--max-retries", "4", "--revision", &seen]).code, 0);
    let stale = edit(&["--max-retries", "5", "--revision", &seen]);
    assert_eq!(stale.code, 4);
    assert!(stale.stderr.contains(&format!("and {seen} was looked at")), "{}", stale.stderr);
    assert_eq!(show(&bed, &id)["max_retries"], 4);
    assert_eq!(edit(&[]).code, 2, "nothing is given");
    assert_eq!(edit(&["--payload", "a", "--payload-file", "b"]).code, 2);
    assert_eq!(edit(&["--retry-policy", "custom"]).code, 4);
    bed.done(&["letters", "archive", "dead", &id]);
    assert_eq!(edit(&["--max-retries", "5"]).code, 4, "it is put away");
    assert_eq!(bed.run(&["letters", "edit", "dead", UNKNOWN, "--max-retries", "5"]).code, 3);
}

#[test]
fn notes_and_tags_stay_with_a_letter() {
    let bed = with_dead();
    let id = capture(&bed, "order-17");
    let ran = bed.run(&["letters", "note", "dead", &id, "asked the bank", "--tag", "bank"]);
    assert_eq!((ran.code, ran.stderr), (0, format!("wrote it down with letter {id} of 'dead'\n")));
    let noted = bed.objects(&["letters", "annotate", "dead", &id, "--tag", "waiting"]).remove(0);
    assert_eq!((&noted["tags"], &noted["at"]), (&json!(["waiting"]), &json!("2026-11-15T12:00:00Z")));
    let notes = show(&bed, &id)["notes"].clone();
    assert_eq!(
        (&notes[0]["text"], &notes[0]["author"], &notes[1]["tags"]),
        (&json!("asked the bank"), &json!("anonymous"), &json!(["waiting"]))
    );
    assert_eq!(bed.run(&["letters", "note", "dead", &id]).code, 2, "there is nothing to note");
    assert_eq!(bed.run(&["letters", "note", "dead", UNKNOWN, "x"]).code, 3);
}
