use serde_json::json;

use super::{UNKNOWN, capture, show, with_dead, with_target};
use crate::file;
use crate::test_server::folder;

#[test]
fn a_letter_is_archived_and_restored() {
    let server = with_dead();
    let id = capture(&server, "order-17");
    let ran = server.run(&["letters", "archive", "dead", &id, "--reason", "account closed"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", "archived 1 letter of 'dead'\n"));
    assert_eq!(show(&server, &id)["status"], "archived");
    let again = server.objects(&["letters", "archive", "dead", &id]);
    assert_eq!(again, [json!({ "queue_name": "dead", "archived": 0 })], "the letter is not counted again");
    assert_eq!(server.objects(&["dlq", "unarchive", "dead", &id]), [json!({ "queue_name": "dead", "restored": 1 })]);
    assert_eq!(show(&server, &id)["status"], "pending");
    let again = server.objects(&["letters", "restore", "dead", &id]);
    assert_eq!(again, [json!({ "queue_name": "dead", "restored": 0 })], "the letter is not counted again");
}

#[test]
fn letters_are_selected_by_id_or_by_the_output_of_list() {
    let server = with_dead();
    let lines = "x\n".repeat(1_500);
    server.run_with(&["letters", "capture", "dead", "--source-id", "n"], lines.as_bytes());
    let listed = server.run_ok(&["letters", "list", "dead", "--output", "json"]);
    let ran = server.run_with(&["letters", "archive", "dead", "-", "-j"], listed.as_bytes());
    assert_eq!(ran.stdout, "{\"archived\":1500,\"queue_name\":\"dead\"}\n", "{}", ran.stderr);

    let ids: Vec<String> = server
        .objects(&["letters", "list", "dead", "--all", "-l", "3"])
        .iter()
        .map(|l| l["id"].as_str().unwrap().to_owned())
        .collect();
    let lines = format!("{}\n\n {} \r\n", ids[0], ids[1]);
    let ran = server.run_with(&["letters", "restore", "dead", "-"], lines.as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "restored 2 letters of 'dead'\n"));
    let both = server.run(&["letters", "archive", "dead", &ids[0], &ids[1]]);
    assert_eq!(both.stderr, "archived 2 letters of 'dead'\n");

    let ran = server.run_with(&["letters", "restore", "dead", "-"], b"{\"name\":\"no id\"}\n");
    ran.fails(1, "line 1 is not a letter");
    assert_eq!(server.run_with(&["letters", "archive", "dead", "-"], b"").stderr, "archived 0 letters of 'dead'\n");
}

#[test]
fn a_rejected_request_changes_nothing_and_the_requests_before_it_are_reported() {
    let server = with_dead();
    let lines = "x\n".repeat(1_001);
    server.run_with(&["letters", "capture", "dead", "--source-id", "n"], lines.as_bytes());
    let mut ids: Vec<String> = server
        .objects(&["letters", "list", "dead"])
        .iter()
        .map(|letter| letter["id"].as_str().unwrap().to_owned())
        .collect();
    let one = server.run(&["letters", "archive", "dead", &ids[0], UNKNOWN]);
    assert_eq!((one.code, show(&server, &ids[0])["status"].as_str()), (3, Some("pending")));
    assert!(one.stderr.starts_with(&format!("error: Task {UNKNOWN} not found")), "{}", one.stderr);
    ids.push(UNKNOWN.to_owned());
    let ran = server.run_with(&["letters", "archive", "dead", "-"], ids.join("\n").as_bytes());
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.starts_with("archived 1000 letters before the error\nerror: "), "{}", ran.stderr);
    assert_eq!(server.objects(&["letters", "list", "dead", "-s", "pending"]).len(), 1);
    assert_eq!(server.run(&["letters", "archive", "missing", UNKNOWN]).code, 3);
    assert_eq!(server.run(&["letters", "archive", "dead", "nonsense"]).code, 3, "neither an id nor a source id");
    assert_eq!(server.run(&["letters", "archive", "dead"]).code, 2);
}

#[test]
fn a_purge_needs_a_reason_and_a_confirmation_with_the_number_of_letters() {
    let server = with_dead();
    let (first, second) = (capture(&server, "a"), capture(&server, "b"));
    let purge = ["letters", "purge", "dead", &first];
    server.run(&[&purge[..], &["--yes"]].concat()).fails(2, "a purge of letters needs a reason");
    let because = ["--reason", "a test"];
    let unconfirmed = server.run(&[&purge[..], &because].concat());
    unconfirmed.fails(2, "this would permanently delete 1 letter of 'dead', which needs a confirmation");
    let both = format!("{first}\n{second}\n");
    let unconfirmed = server.run_with(&["letters", "purge", "dead", "-", "--reason", "a test"], both.as_bytes());
    unconfirmed.fails(2, "permanently delete 2 letters of 'dead'");
    assert_eq!(show(&server, &first)["status"], "pending");
    let ran = server.run(&[&purge[..], &because, &["--yes"]].concat());
    assert_eq!(ran.stderr, "purged 1 letter of 'dead'\n");
    let listed = server.run_ok(&["letters", "list", "dead", "-j"]);
    let purge = ["dlq", "purge", "dead", "-", "-f", "-j", "--reason", "a test"];
    let ran = server.run_with(&purge, format!("{listed}{first}\n").as_bytes());
    assert_eq!(ran.stdout, "{\"purged\":1,\"queue_name\":\"dead\"}\n", "letters that do not exist are skipped");
    assert_eq!(server.run(&["letters", "show", "dead", &second]).code, 3);
}

#[test]
fn an_edit_changes_the_given_fields_only() {
    let server = with_target("letters-an-edit-changes-the-given-fields-only");
    let id = capture(&server, "order-17");
    let edit = ["letters", "edit", "dead", &id];
    let before = show(&server, &id)["revision"].as_i64().unwrap();
    let ran = server
        .run(&[&edit[..], &["--payload", "new", "--header", "fixed=yes", "--header", "by=me"]].concat())
        .succeeded();
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let edited =
        format!("edited letter {id} of 'dead': revision {}, pending, next retry 2026-11-15T12:01:00Z", before + 1);
    assert_eq!(lines, ["payload: 11 → 3 bytes", "headers: fixed, by", edited.as_str()]);
    let ran = server.run(&[&edit[..], &["--max-retries", "4"]].concat());
    assert!(ran.stderr.starts_with("max retries: 3 → 4\nedited letter"), "{}", ran.stderr);
    let terms = ["--retry-policy", "linear", "--max-retries", "9", "--priority", "low", "--reason", "case 9"];
    let edited = server.objects(&[&edit[..], &terms].concat()).remove(0);
    assert_eq!((&edited["retry_policy"], &edited["max_retries"]), (&json!("linear"), &json!(9)));
    assert_eq!((&edited["priority"], &edited["revision"]), (&json!("low"), &json!(before + 3)));
    let shown = server.objects(&["letters", "show", "dead", &id, "--reveal", "--reason", "a test"]).remove(0);
    assert_eq!((&shown["content"]["payload"], &shown["original"]["payload"]), (&json!("new"), &json!("the payload")));
    assert_eq!(shown["content"]["headers"][1], json!({ "name": "by", "value": "me" }));

    let folder = folder("edit");
    let path = file(&folder, "edited.bin", "from a file\n");
    server.run_ok(&[&edit[..], &["--payload-file", path.to_str().unwrap(), "--no-headers"]].concat());
    let shown = server.objects(&["letters", "show", "dead", &id, "--reveal", "--reason", "a test"]).remove(0);
    assert_eq!((&shown["content"]["payload"], &shown["content"]["headers"]), (&json!("from a file\n"), &json!([])));
}

#[test]
fn an_edit_of_a_concurrently_changed_letter_is_rejected() {
    let server = with_dead();
    let id = capture(&server, "order-17");
    let edit = |arguments: &[&str]| server.run(&[&["letters", "edit", "dead", &id], arguments].concat());
    let seen = show(&server, &id)["revision"].to_string();
    assert_eq!(edit(&["--max-retries", "4", "--revision", &seen]).code, 0);
    edit(&["--max-retries", "5", "--revision", &seen]).fails(4, &format!("and the request expects {seen}"));
    assert_eq!(show(&server, &id)["max_retries"], 4);
    assert_eq!(edit(&[]).code, 2, "no change is given");
    assert_eq!(edit(&["--payload", "a", "--payload-file", "b"]).code, 2);
    assert_eq!(edit(&["--retry-policy", "custom"]).code, 4);
    server.run_ok(&["letters", "archive", "dead", &id]);
    assert_eq!(edit(&["--max-retries", "5"]).code, 4, "an archived letter cannot be edited");
    assert_eq!(server.run(&["letters", "edit", "dead", UNKNOWN, "--max-retries", "5"]).code, 3);
}

#[test]
fn notes_and_tags_stay_with_a_letter() {
    let server = with_dead();
    let id = capture(&server, "order-17");
    let ran = server.run(&["letters", "note", "dead", &id, "asked the bank", "--tag", "bank"]);
    assert_eq!((ran.code, ran.stderr), (0, format!("added a note to letter {id} of 'dead'\n")));
    let noted = server.objects(&["letters", "annotate", "dead", &id, "--tag", "waiting"]).remove(0);
    assert_eq!((&noted["tags"], &noted["at"]), (&json!(["waiting"]), &json!("2026-11-15T12:00:00Z")));
    let notes = show(&server, &id)["notes"].clone();
    assert_eq!(
        (&notes[0]["text"], &notes[0]["author"], &notes[1]["tags"]),
        (&json!("asked the bank"), &json!("anonymous"), &json!(["waiting"]))
    );
    assert_eq!(server.run(&["letters", "note", "dead", &id]).code, 2, "a note needs a text or a tag");
    assert_eq!(server.run(&["letters", "note", "dead", UNKNOWN, "x"]).code, 3);
}
