use serde_json::{Value, json};

use super::{capture, captured, show, with_dead};
use crate::retries::{serve, target};
use crate::test_server::{TempDir, TestServer, folder};
use crate::{CommandOutput, outcome};

/// Edits a letter with a shell command as the editor.
fn edit(server: &TestServer, editor: &str, id: &str, more: &[&str]) -> CommandOutput {
    edit_in(&folder("edit"), server, editor, id, more)
}

/// The same, with the file of the editor in this folder.
fn edit_in(folder: &TempDir, server: &TestServer, editor: &str, id: &str, more: &[&str]) -> CommandOutput {
    let mut command = server.command(&[&["letters", "edit", "dead", id][..], more].concat());
    command.env("EDITOR", editor).env("TMPDIR", folder.path());
    outcome(command.spawn().unwrap())
}

fn payload(server: &TestServer, id: &str) -> Value {
    let shown = server.objects(&["letters", "show", "dead", id, "--reveal", "--reason", "a test"]).remove(0);
    shown["content"]["payload"].clone()
}

fn files(folder: &TempDir) -> Vec<std::path::PathBuf> {
    std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn the_payload_is_edited_in_the_users_editor_and_the_difference_is_shown() {
    let (server, folder) = (with_dead(), folder("edit"));
    let id = captured(&server, &["{\"order\":17,\"amount\":1.10}", "--error", "timed out"]);
    let ran = edit_in(&folder, &server, "sed -i s/17/18/", &id, &["--reason", "Fall 9 für die Bank"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("  {\n-   \"order\": 17,\n+   \"order\": 18,\n    \"amount\": 1.10\n  }\nedited letter"),
        "{}",
        ran.stderr
    );
    assert_eq!(payload(&server, &id), "{\"order\":18,\"amount\":1.10}", "without white space, as it was");
    assert_eq!(files(&folder), Vec::<std::path::PathBuf>::new(), "the file of the editor is removed");
}

#[test]
fn a_payload_of_an_option_is_shown_with_its_difference_if_there_is_a_reason() {
    let server = with_dead();
    let id = captured(&server, &["{\"order\":17,\"amount\":1.10}", "--error", "timed out"]);
    let edit = ["letters", "edit", "dead", &id, "--payload"];
    let first = server.run(&[&edit[..], &["{\"order\":18,\"amount\":1.10}", "--reason", "r"]].concat()).succeeded();
    let difference =
        "payload: 26 → 26 bytes\n  {\n-   \"order\": 17,\n+   \"order\": 18,\n    \"amount\": 1.10\n  }\nedited";
    assert!(first.stderr.starts_with(difference), "{}", first.stderr);
    let blind = server.run(&[&edit[..], &["{\"order\":19}"]].concat()).succeeded();
    assert!(blind.stderr.starts_with("payload: 26 → 12 bytes\nedited"), "without a reason: {}", blind.stderr);
    let json = server.run(&[&edit[..], &["{}", "--reason", "r", "-j"]].concat()).succeeded();
    assert!(json.stderr.is_empty() && !json.stdout.contains("order\\\":19"), "{} {}", json.stdout, json.stderr);
    let long = server.run(&[&edit[..], &["line\n".repeat(500).as_str(), "--reason", "r"]].concat()).succeeded();
    assert!(long.stderr.lines().count() < 110 && long.stderr.contains("more lines"), "{}", long.stderr);
    assert_eq!(payload(&server, &id), "line\n".repeat(500));
}

#[test]
fn an_interrupt_while_the_editor_runs_is_for_the_editor() {
    let server = with_dead();
    let id = captured(&server, &["17", "--error", "timed out"]);
    let editor = "kill -INT $PPID; sleep 0.2; kill -INT $PPID; sleep 0.2; sed -i s/17/18/";
    edit(&server, editor, &id, &["--reason", "a test"]).succeeded();
    assert_eq!(payload(&server, &id), "18");
}

#[test]
fn visual_takes_precedence_and_may_have_arguments() {
    let server = with_dead();
    let id = captured(&server, &["one", "--error", "timed out"]);
    let mut command = server.command(&["letters", "edit", "dead", &id, "--reason", "r", "-j"]);
    command.env("VISUAL", "sed -i -e s/one/two/").env("EDITOR", "false");
    let ran = outcome(command.spawn().unwrap());
    let line: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &line["id"]), (0, &json!(id)), "{}", ran.stderr);
    assert_eq!(payload(&server, &id), "two");
}

#[test]
fn an_unchanged_payload_is_not_stored() {
    let (server, folder) = (with_dead(), folder("edit"));
    let id = captured(&server, &["{\"order\":17}", "--error", "timed out"]);
    let before = show(&server, &id)["revision"].clone();
    let ran = edit_in(&folder, &server, "true", &id, &["--reason", "r"]);
    assert_eq!((ran.code, ran.stderr), (0, format!("the payload of letter {id} is unchanged\n")));
    edit_in(&folder, &server, "false", &id, &["--reason", "r"]).fails(1, "the editor 'false' failed");
    assert_eq!(show(&server, &id)["revision"], before);
    assert_eq!(files(&folder), Vec::<std::path::PathBuf>::new());
}

#[test]
fn an_edit_that_cannot_be_stored_is_kept_in_its_file() {
    let (server, folder) = (with_dead(), folder("edit"));
    let id = captured(&server, &["{\"order\":17}", "--error", "timed out"]);
    let broken = edit_in(&folder, &server, "sed -i s/}//", &id, &["--reason", "r"]);
    assert_eq!(broken.code, 1, "{}", broken.stderr);
    assert!(broken.stderr.contains("not JSON any more") && broken.stderr.contains("kept in"), "{}", broken.stderr);
    let [file] = files(&folder).try_into().unwrap();
    assert_eq!(std::fs::read_to_string(file).unwrap(), "{\n  \"order\": 17\n");
    let revision = show(&server, &id)["revision"].to_string();
    capture(&server, "other");
    server.run_ok(&["letters", "note", "dead", &id, "meanwhile"]);
    edit(&server, "sed -i s/17/18/", &id, &["--reason", "r", "--revision", &revision])
        .fails(4, "the edited payload is kept in ");
    assert_eq!(payload(&server, &id), "{\"order\":17}");
}

#[test]
fn an_edit_in_an_editor_needs_a_reason_an_editor_and_a_text() {
    let server = with_dead();
    let id = captured(&server, &["one", "--error", "timed out"]);
    edit(&server, "true", &id, &[]).fails(2, "--reason");
    server.run(&["letters", "edit", "dead", &id, "--reason", "r"]).fails(2, "EDITOR");
    server.run_ok(&["letters", "archive", "dead", &id]);
    edit(&server, "true", &id, &["--reason", "r"]).fails(4, "is archived");
    let folder = folder("edit-bytes");
    let path = folder.path().join("bytes");
    std::fs::write(&path, [0xFF, 0xFE]).unwrap();
    let id = captured(&server, &["--file", path.to_str().unwrap()]);
    edit(&server, "true", &id, &["--reason", "r"]).fails(1, "--payload-file");
}

#[test]
fn an_edited_letter_is_retried_at_once() {
    let (url, seen) = target(&[200, 500]);
    let server = serve("letters-edit", &format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"));
    let never = ["--retry-policy", "never"];
    let id = captured(&server, &[&["order 17", "--source-id", "a"][..], &never].concat());
    let ran = edit(&server, "sed -i s/17/18/", &id, &["--retry", "--reason", "r"]).succeeded();
    assert!(ran.stderr.ends_with(&format!("{id}: Task successfully retried; status completed\n")), "{}", ran.stderr);
    assert_eq!(seen.recv().unwrap().1, "order 18", "the target gets the edited payload");
    let id = captured(&server, &[&["order 19", "--source-id", "b"][..], &never].concat());
    let failed = server.run(&["letters", "edit", "dead", &id, "--payload", "order 20", "--retry", "-j"]);
    assert_eq!(failed.code, 1, "{}", failed.stderr);
    let lines: Vec<Value> = failed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["revision"], &lines[1]["success"]), (&json!(2), &json!(false)));
    assert!(failed.stderr.contains("the letter was edited, but its retry failed"), "{}", failed.stderr);
}
