//! The examples of every `--help` of `redrive letters`, run as a user would.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::help::{examples, leaves};
use crate::retries::{serve, target};
use crate::test_server::{TestServer, folder};

/// The placeholders of the examples.
const ID: &str = "2PqKcMkQhVbFQ0dQ4mC3nCyaQWz";
const RUN: &str = "3M8tPkoQdsbriKxbeJ4v09PGmsM";
const FINGERPRINT: &str = "489d256cf7c4a1e5f262f84f7e4f6faa";

/// A queue with letters for an example: one to name, and an archived one.
fn prepare(server: &TestServer, folder: &Path, number: usize) -> (String, String) {
    let capture = |source_id: &str| {
        let arguments = ["letters", "capture", "orders-dead", "{\"order\":17}", "--source-id", source_id];
        let more = ["--error", "HTTP 503 Service Unavailable", "--retry-policy", "never"];
        server.objects(&[&arguments[..], &more].concat()).remove(0)
    };
    let letter = capture(&format!("example-{number}"));
    let archived = capture(&format!("archived-{number}"));
    server.run_ok(&["letters", "archive", "orders-dead", archived["id"].as_str().unwrap()]);
    let id = letter["id"].as_str().unwrap().to_owned();
    let shown: Value = server.objects(&["letters", "show", "orders-dead", &id]).remove(0);
    let exported = server.run_ok(&["letters", "export", "orders-dead", "--reason", "a test"]);
    for (name, content) in [
        ("order.json", "{\"order\":18}"),
        ("order.bin", "bytes"),
        ("rejected.jsonl", "{\"order\":1}\n{\"order\":2}\n"),
        ("dead.jsonl", &exported),
    ] {
        std::fs::write(folder.join(name), content).unwrap();
    }
    (id, shown["fingerprint"].as_str().unwrap().to_owned())
}

/// The id of a run, for an example that names one.
fn started(server: &TestServer, id: &str) -> String {
    let filter = format!("id == '{id}'");
    let bulk = ["letters", "bulk", "archive", "orders-dead", "--filter", &filter, "--yes", "--detach", "--reason", "r"];
    server.objects(&bulk)[0]["id"].as_str().unwrap().to_owned()
}

fn run(server: &TestServer, folder: &Path, line: &str) -> Output {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_redrive"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("PATH", path);
    shell.env("REDRIVE_SERVER", format!("http://{}", server.address)).env("EDITOR", "sed -i s/17/18/");
    shell.env("XDG_CONFIG_HOME", folder).env("TMPDIR", folder).stdin(std::process::Stdio::null());
    shell.output().unwrap()
}

#[test]
fn the_examples_of_every_command_work() {
    let (url, seen) = target(&[200; 200]);
    std::thread::spawn(move || seen.iter().count());
    let target = format!("targets = [{{ queue = \"orders-dead\", http = \"{url}\" }}]");
    let server = serve("letters-examples", &format!("[dlq]\n{target}\n"));
    server.run_ok(&["queue", "create", "failed"]);
    server.run_ok(&["letters", "process", "orders-dead", "stop"]);
    let folder = folder("letters-examples-files");
    let mut commands = leaves(&["letters".to_owned()]);
    // A template is listed and removed after it was set.
    commands.sort_by_key(|command| command.get(2).is_some_and(|name| name == "remove"));
    let mut number = 0;
    for command in &commands {
        for example in examples(command) {
            number += 1;
            let (id, fingerprint) = prepare(&server, folder.path(), number);
            let short = &fingerprint[..12];
            let line = example.replace(ID, &id).replace(FINGERPRINT, &fingerprint).replace(&FINGERPRINT[..12], short);
            let line = if line.contains(RUN) { line.replace(RUN, &started(&server, &id)) } else { line };
            if line.contains("--file dead.jsonl") && line.contains("export") {
                std::fs::remove_file(folder.path().join("dead.jsonl")).unwrap();
            }
            let ran = run(&server, folder.path(), &line);
            let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
            assert!(ran.status.success(), "{line}\n{out}{err}");
        }
    }
    assert!(number > 40, "only {number} examples were found");
}
