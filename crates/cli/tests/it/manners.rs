//! What all commands have in common: the JSON switch, errors as JSON, exit codes, and what they say about a server that
//! they cannot talk to.

use std::process::Command;

use serde_json::{Value, json};

use crate::terminal;
use crate::test_server::{TestServer, command, folder};
use crate::{CommandOutput, outcome, redrive};

/// The object that a failed command prints to stderr.
fn error(ran: &CommandOutput) -> Value {
    assert_eq!((ran.stdout.as_str(), ran.stderr.lines().count()), ("", 1), "{}", ran.stderr);
    serde_json::from_str(&ran.stderr).unwrap()
}

#[test]
fn the_json_switch_is_the_same_for_every_command_and_in_every_place() {
    let server = TestServer::new();
    for arguments in [
        ["--json", "queue", "create", "a"],
        ["queue", "--json", "create", "b"],
        ["queue", "create", "c", "--json"],
        ["queue", "create", "d", "-j"],
    ] {
        let printed = server.run_ok(&arguments);
        let name = arguments.iter().find(|word| word.len() == 1).unwrap();
        assert_eq!(printed, json!({ "queue_name": name, "outcome": "created" }).to_string() + "\n", "{arguments:?}");
    }
    assert_eq!(server.run_ok(&["queue", "list", "--json"]), server.run_ok(&["queue", "list", "--output", "json"]));
    for (arguments, expected) in [
        (&["queue", "pause", "a"][..], json!({ "queue_name": "a", "outcome": "paused" })),
        (&["queue", "resume", "a"], json!({ "queue_name": "a", "outcome": "resumed" })),
        (&["queue", "update", "a", "--max-attempts", "0"], json!({ "queue_name": "a", "outcome": "updated" })),
        (
            &["queue", "clear", "a", "--yes"],
            json!({ "queue_name": "a", "outcome": "cleared", "items": 0, "letters": 0 }),
        ),
        (
            &["queue", "delete", "a", "--yes"],
            json!({ "queue_name": "a", "outcome": "deleted", "items": 0, "letters": 0 }),
        ),
        (&["namespace", "create", "shop"], json!({ "name": "shop", "outcome": "created" })),
        (&["namespace", "update", "shop", "--description", "x"], json!({ "name": "shop", "outcome": "updated" })),
        (&["namespace", "delete", "shop", "--yes"], json!({ "name": "shop", "outcome": "deleted" })),
    ] {
        assert_eq!(server.objects(arguments), [expected], "{arguments:?}");
    }
    let folder = folder("manners-json");
    let file = folder.path().join("items.jsonl").to_str().unwrap().to_owned();
    let exported = server.objects(&["items", "export", "b", "--file", &file]).remove(0);
    assert_eq!(exported, json!({ "file": file, "exported": 0 }));
    let checked = redrive(&["policy", "show", "kafka-consumer", "--json"]);
    let policy: Value = serde_json::from_str(&checked.stdout).unwrap();
    assert_eq!((&policy["attempts"], &policy["categories"][0]["category"]), (&json!(3), &json!("transient")));
    let listed = redrive(&["policy", "list", "-j"]).stdout;
    assert!(listed.lines().all(|line| serde_json::from_str::<Value>(line).unwrap()["name"].is_string()), "{listed}");
}

#[test]
fn a_command_without_json_output_says_so() {
    for arguments in [&["serve", "--json"][..], &["config", "template", "-j"], &["completions", "bash", "--json"]] {
        let ran = redrive(arguments);
        let error = error(&ran);
        let message = error["error"].as_str().unwrap();
        assert!(ran.code == 2 && message.starts_with("this command has no JSON output: "), "{arguments:?}: {error}");
    }
}

#[test]
fn an_error_is_one_json_object_with_the_exit_code() {
    let server = TestServer::new();
    let ran = server.run(&["queue", "info", "nope", "--json"]);
    let expected = json!({ "error": "no such queue named 'nope'", "remedy": "list all with: redrive queue list",
        "exit_code": 3 });
    assert_eq!((ran.code, error(&ran)), (3, expected));
    // The parser of the arguments has not seen the switch yet.
    let ran = server.run(&["queue", "create", "--json"]);
    let error = error(&ran);
    assert_eq!((ran.code, &error["exit_code"]), (2, &json!(2)));
    assert!(error["error"].as_str().unwrap().contains("<NAME>"), "{error}");
    let ran = server.run(&["queue", "lst", "-j"]);
    assert_eq!(self::error(&ran)["error"], "unrecognized subcommand 'lst'");
    assert_eq!(self::error(&ran)["remedy"], "a similar subcommand exists: 'list'");
}

#[test]
fn an_answered_no_changes_nothing_and_is_no_error() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let mut asked = terminal::start(server.command(&["queue", "delete", "orders"]));
    asked.wait_for("This will delete the queue 'orders' with 0 items. Continue? [y/N]");
    asked.answer("n");
    let (code, printed) = asked.end();
    assert!(code == 0 && printed.contains("nothing was changed"), "{code}: {printed}");
    server.run_ok(&["queue", "info", "orders"]);
    server.run(&["queue", "delete", "orders"]).fails(2, "confirm with --yes");
}

#[test]
fn every_duration_option_has_days_and_weeks_and_the_timeout_too() {
    let server = TestServer::new();
    server.run_ok(&["queue", "list", "--timeout", "1d"]);
    server
        .run(&["queue", "list", "--timeout", "soon"])
        .fails(2, "expected a duration, as in 300ms, 90s, 1h30m, 3d or 1w");
}

#[test]
fn a_reason_may_be_in_any_script() {
    let server = TestServer::new();
    let reasons = ["der Lieferant ist zurück", "地址已更正", "الخدمة عادت", "склад знову працює", "🚚 arrived"];
    for (number, reason) in reasons.iter().enumerate() {
        server.run_ok(&["namespace", "create", &format!("n{number}"), "--reason", reason]);
        let record = server.objects(&["audit", "list", "--limit", "1"]).remove(0);
        assert_eq!(record["reason"], *reason);
    }
    server.run(&["namespace", "create", "m", "--reason", "two\nlines"]).fails(2, "one line");
}

/// A server with TLS, and the file of its certificate.
fn with_tls(name: &str) -> (TestServer, String) {
    let folder = folder(name);
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]);
    openssl.args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]);
    openssl.args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", "key.pem", "-out", "certificate.pem"]);
    assert!(openssl.current_dir(folder.path()).output().unwrap().status.success());
    let tls = ["--tls-certificate", "certificate.pem", "--tls-key", "key.pem"];
    let serve = command(&[&["serve", "--memory", "--listen", "127.0.0.1:0"], &tls[..]].concat());
    let certificate = folder.path().join("certificate.pem").to_str().unwrap().to_owned();
    (TestServer::start_in(folder, serve), certificate)
}

#[test]
fn http_to_a_port_with_tls_and_https_to_one_without_are_one_sentence_with_the_remedy() {
    let (server, certificate) = with_tls("manners-tls");
    let url = |scheme: &str, server: &TestServer| format!("{scheme}://{}", server.address);
    let list = |url: &str, more: &[&str]| redrive(&[&["--server", url, "queue", "list"], more].concat());

    let http = url("http", &server);
    let ran = list(&http, &[]);
    assert_eq!((ran.code, ran.stderr), (5, format!("error: {http} uses TLS\n  use https:// instead of http://\n")));

    let https = url("https", &server);
    assert_eq!(list(&https, &["--ca-file", &certificate]).code, 0);
    let ran = list(&https, &[]);
    ran.fails(5, "invalid peer certificate");
    assert!(ran.stderr.contains("with --ca-file FILE"), "{}", ran.stderr);

    let plain = TestServer::new();
    let https = url("https", &plain);
    let ran = list(&https, &["--ca-file", &certificate]);
    let remedy = "use http:// instead of https://, or configure TLS on the server";
    assert_eq!((ran.code, ran.stderr), (5, format!("error: {https} does not use TLS\n  {remedy}\n")));
}

#[test]
fn a_locked_data_directory_names_the_process_that_has_it() {
    let folder = folder("manners-locked");
    let serve = || {
        let mut serve = command(&["serve", "--listen", "127.0.0.1:0", "--data-dir", "data"]);
        serve.current_dir(folder.path());
        serve
    };
    let server = TestServer::start(serve());
    let expected =
        format!("data is already open in process {} (redrive); stop that process first\n", server.child.id());
    let second = outcome(serve().spawn().unwrap());
    assert_eq!((second.code, second.stderr), (1, format!("error: cannot open the store in data: {expected}")));
    let mut check = command(&["doctor", "check", "data"]);
    let checked = outcome(check.current_dir(folder.path()).spawn().unwrap());
    assert_eq!((checked.code, checked.stderr), (1, format!("error: {expected}")));
    drop(server);
    // The id in the file is that of a process that has ended: it holds nothing.
    drop(TestServer::start(serve()));
}
