//! `redrive serve` and `redrive config`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::retries::ok;
use crate::test_server::{TestServer, command, folder, folder_with};
use crate::{CommandOutput, outcome};

const ANY: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// The output of a server that must not start.
fn rejected(serve: Command) -> CommandOutput {
    rejected_with(1, serve)
}

/// The same, with the exit code: 2 if a flag has a wrong value, 1 if a file or a variable has.
fn rejected_with(code: i32, mut serve: Command) -> CommandOutput {
    let ran = outcome(serve.spawn().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "the server must not start: {}", ran.stderr);
    ran
}

fn in_folder(folder: &Path, arguments: &[&str]) -> Command {
    let mut serve = command(arguments);
    serve.current_dir(folder);
    serve
}

pub(crate) fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_server_prints_its_address_when_it_is_ready() {
    let server = TestServer::new();
    assert!(server.address.starts_with("127.0.0.1:") && !server.address.ends_with(":0"), "{}", server.address);
    assert_eq!(server.control, None);
    assert!(get(&server.address, "/health").starts_with("HTTP/1.1 200"));
    assert!(get(&server.address, "/metrics").contains("http_handler_duration"));
}

#[test]
fn the_log_says_which_file_was_read_and_what_is_served() {
    let folder = folder("serve-says");
    std::fs::write(folder.path().join("redrive.toml"), "[store]\nmemory = true\n").unwrap();
    let log = folder.path().join("log");
    let file = std::fs::File::create(&log).unwrap();
    let server = TestServer::logging(in_folder(folder.path(), &ANY), file.into());
    let log = std::fs::read_to_string(&log).unwrap();
    let line = log.lines().find(|line| line.contains(" serving ")).unwrap_or_else(|| panic!("{log}"));
    let expected = "config=\"redrive.toml\" store=\"memory\" address=ADDRESS tls=false authentication=None routes=0";
    assert!(line.ends_with(&expected.replace("ADDRESS", &server.address)), "{line}");
}

#[test]
fn an_address_that_other_machines_reach_needs_allow_anonymous() {
    let folder = folder("serve-anonymous");
    let ran = rejected(in_folder(folder.path(), &["serve", "--memory", "--listen", "0.0.0.0:0"]));
    assert!(ran.stderr.contains("--allow-anonymous") && ran.stderr.contains("127.0.0.1:0"), "{}", ran.stderr);
    let file = folder.path().join("redrive.toml");
    std::fs::write(&file, "[server]\nlisten = '0.0.0.0:0'\n").unwrap();
    let ran = rejected(in_folder(folder.path(), &["serve", "--memory"]));
    assert!(ran.stderr.contains("0.0.0.0:0 is reachable from other machines"), "{}", ran.stderr);
}

#[test]
fn flags_override_the_environment_which_overrides_the_file() {
    let folder = folder("serve-precedence");
    let file = |level: &str| {
        std::fs::write(folder.path().join("redrive.toml"), format!("[log]\nlevel = '{level}'\n")).unwrap();
    };
    // The error about an invalid level has its value, which shows its source.
    let stderr = |environment: Option<&str>, flag: Option<&str>| {
        let mut serve = in_folder(folder.path(), &ANY);
        serve.arg("--memory").envs(environment.map(|level| ("REDRIVE_LOG", level)));
        serve.args(flag.iter().flat_map(|level| ["--log", level]));
        rejected_with(if flag.is_some() { 2 } else { 1 }, serve).stderr
    };
    file("of=the=file");
    assert!(stderr(None, None).contains("'of=the=file'"));
    assert!(stderr(Some("of=the=environment"), None).contains("'of=the=environment'"));
    assert!(stderr(Some("of=the=environment"), Some("of=the=flag")).contains("'of=the=flag'"));
    // A valid flag overrides an invalid value of the file.
    let mut serve = in_folder(folder.path(), &ANY);
    serve.args(["--memory", "--log", "info"]);
    let server = TestServer::start(serve);
    server.run_ok(&["queue", "list"]);
}

#[test]
fn the_named_configuration_file_is_read() {
    let folder = folder("serve-config");
    std::fs::write(folder.path().join("other.toml"), "[server]\nlisten = '127.0.0.1:0'\n[store]\nmemory = true\n")
        .unwrap();
    let server = TestServer::start(in_folder(folder.path(), &["serve", "--config", "other.toml"]));
    server.run_ok(&["queue", "list"]);
    assert!(!folder.path().join("redrive-data").exists(), "the file sets store.memory");
    let missing = rejected_with(2, in_folder(folder.path(), &["serve", "--config", "missing.toml"]));
    assert!(missing.stderr.contains("missing.toml"), "{}", missing.stderr);
}

#[test]
fn an_unknown_setting_is_an_error() {
    let folder = folder_with("serve-unknown", "[server]\nlisten_on = '127.0.0.1:0'\n");
    let ran = rejected(in_folder(folder.path(), &["serve", "--memory"]));
    assert!(ran.stderr.contains("unknown setting 'server.listen_on'"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean 'server.listen'?"), "{}", ran.stderr);
    let checked = rejected(in_folder(folder.path(), &["config", "check", "redrive.toml"]));
    assert!(checked.stderr.contains("did you mean 'server.listen'?"), "{}", checked.stderr);
}

#[test]
fn an_invalid_file_is_rejected_by_the_check_and_at_the_start() {
    let folder = folder("serve-unusable");
    let worker = "[[dlq.targets]]\nqueue = 'dead'\nworker = ['no-such-worker']\n";
    let tls = "[server]\ntls_certificate = 'none.pem'\ntls_key = 'none.key'\n";
    for (text, expected) in [
        ("[log]\nlevel = 'inof'\n", "log.level 'inof' is invalid"),
        ("[log]\nlevel = 'info,redrive_server=debg'\n", "is invalid"),
        (worker, "no such program: 'no-such-worker'"),
        (tls, "none.pem"),
        ("[server]\nkey_prefix = 'RDR-1'\n", "key_prefix is invalid"),
        ("[server]\nconnections_max = 0\n", "connections_max is invalid: '0'"),
        ("[server]\naudit_records_max = 0\n", "audit_records_max is invalid: '0'"),
        ("[store]\nsegment_bytes = 100\n", "segment_bytes is invalid: 100 given"),
        ("[store]\nrequests_max = 0\n", "requests_max is invalid: 0 given"),
    ] {
        std::fs::write(folder.path().join("redrive.toml"), text).unwrap();
        for arguments in [&["config", "check", "redrive.toml"][..], &["serve", "--memory", "--listen", "127.0.0.1:0"]] {
            let ran = rejected(in_folder(folder.path(), arguments));
            assert!(ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
            assert!(text == tls || ran.stderr.contains("in redrive.toml"), "{arguments:?}: {}", ran.stderr);
        }
    }
    std::fs::write(folder.path().join("redrive.toml"), "[server]\nkey_prefix = 'shop'\n").unwrap();
    let serve =
        |more: &[&str]| in_folder(folder.path(), &[&["serve", "--memory", "--listen", "127.0.0.1:0"], more].concat());
    let ran = rejected(serve(&["--set", "server.connections_max=0"]));
    assert!(ran.stderr.contains("in --set: connections_max is invalid"), "{}", ran.stderr);
    let mut of_environment = serve(&[]);
    of_environment.env("REDRIVE_KEY_PREFIX", "RDR-1");
    let ran = rejected(of_environment);
    assert!(ran.stderr.contains("in REDRIVE_KEY_PREFIX: "), "not the file, which it overrides: {}", ran.stderr);
}

#[test]
fn an_unknown_variable_is_an_error() {
    let folder = folder_with("serve-variables", "");
    for arguments in [&["config", "check", "redrive.toml"][..], &["serve", "--memory", "--listen", "127.0.0.1:0"]] {
        let mut command = in_folder(folder.path(), arguments);
        command.env("REDRIVE_LISTNE", "127.0.0.1:0");
        let ran = rejected(command);
        assert!(
            ran.stderr.contains("unknown variable 'REDRIVE_LISTNE'\n  did you mean 'REDRIVE_LISTEN'?"),
            "{}",
            ran.stderr
        );
    }
    let mut command = in_folder(folder.path(), &["config", "check", "redrive.toml"]);
    command.envs([
        ("REDRIVE_SERVICE_HOST", "10.0.0.1"),
        ("REDRIVE_PORT_2319_TCP", "tcp://10.0.0.1:2319"),
        ("REDRIVE_API_KEY", "k"),
    ]);
    assert_eq!(outcome(command.spawn().unwrap()).code, 0, "variables of Kubernetes and of the command line are known");
}

#[test]
fn the_template_is_a_valid_file() {
    let folder = folder("serve-template");
    let template = outcome(command(&["config", "template"]).spawn().unwrap());
    assert_eq!(template.code, 0);
    // All settings of the template are comments. Without the comment signs, they set the defaults.
    let is_setting = |line: &&str| line.starts_with('#') && line.contains(" =") && !line.starts_with("# ");
    let settings = template.stdout.lines().filter(is_setting).count();
    assert!(settings > 10, "{}", template.stdout);
    let set = |line: &str| if is_setting(&line) { line[1..].to_owned() } else { line.to_owned() };
    // Settings without a default are omitted.
    let lines = template.stdout.lines().map(set).filter(|line| !line.trim_end().ends_with('='));
    let used: Vec<String> = lines.collect();
    for (name, text) in [("as-it-is.toml", template.stdout.clone()), ("redrive.toml", used.join("\n"))] {
        std::fs::write(folder.path().join(name), text).unwrap();
        let checked = outcome(in_folder(folder.path(), &["config", "check", name]).spawn().unwrap());
        assert_eq!((checked.code, checked.stdout), (0, format!("{name} is valid\n")), "{}", checked.stderr);
    }
    let server = TestServer::start(in_folder(folder.path(), &ANY));
    server.run_ok(&["queue", "list"]);
    assert!(folder.path().join("redrive-data").is_dir(), "the data directory of the template");
}

#[test]
fn acknowledged_data_survives_a_restart() {
    let folder = folder("serve-restart");
    let serve = || in_folder(folder.path(), &[&ANY[..], &["--data-dir", "data"]].concat());
    let mut server = TestServer::start(serve());
    server.run_ok(&["queue", "create", "orders", "--reference", "kept"]);
    server.run_with(&["produce", "orders"], b"a\nb\n");
    server.run_ok(&["produce", "orders", "c", "--delay", "1h"]);
    let id = server.objects(&["lease", "orders"])[0]["id"].as_str().unwrap().to_owned();
    let before = server.run_ok(&["items", "export", "orders"]);
    assert_eq!(server.stop(), Some(0), "SIGTERM ends the server with success");

    let server = TestServer::start(serve());
    assert_eq!(server.run_ok(&["items", "export", "orders"]), before);
    assert_eq!(server.objects(&["queue", "info", "orders"])[0]["reference"], "kept");
    server.run_ok(&["complete", "orders", &id]);
}

/// The number of journal segments, and the disk usage of the folder in MiB.
fn disk_usage(data: &Path) -> (usize, u64) {
    let files: Vec<_> = std::fs::read_dir(data).unwrap().map(|file| file.unwrap()).collect();
    let logs = files.iter().filter(|file| file.path().extension().is_some_and(|end| end == "segment")).count();
    let blocks: u64 = files.iter().map(|file| file.metadata().unwrap().blocks()).sum();
    (logs, blocks / 2048)
}

/// A server that stops has created its spare segments.
#[test]
fn a_new_store_has_one_segment_and_gets_spares_when_it_is_half_full() {
    let folder = folder("serve-size");
    let serve = || in_folder(folder.path(), &[&ANY[..], &["--data-dir", "data"]].concat());
    let data = folder.path().join("data");
    let mut server = TestServer::start(serve());
    server.run_ok(&["queue", "create", "orders"]);
    assert_eq!(server.stop(), Some(0));
    assert_eq!(disk_usage(&data), (1, 64));
    let mut server = TestServer::start(serve());
    for _ in 0..9 {
        let items = [json!({ "utf8": "x".repeat(4_000_000) })];
        ok(&server, "queue.produce", &json!({ "queue_name": "orders", "request_timeout": "1m", "items": items }));
    }
    assert_eq!(server.stop(), Some(0));
    assert_eq!(disk_usage(&data), (3, 192));
}

#[test]
fn a_waiting_lease_is_rejected_when_the_server_stops() {
    let mut server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let waiting = server.command(&["lease", "orders", "--wait", "10m"]).spawn().unwrap();
    while server.objects(&["queue", "stats", "orders"])[0]["lease_waiting"] != 1 {}
    assert_eq!(server.stop(), Some(0));
    outcome(waiting).fails(5, "shutting down");
}

#[test]
fn a_server_with_an_untrusted_certificate_is_not_called() {
    let certificates = concat!(env!("CARGO_MANIFEST_DIR"), "/../client/tests/it/certificates");
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| format!("{certificates}/{name}"));
    let tls = ["--memory", "--tls-certificate", &certificate, "--tls-key", &key];
    let server = TestServer::start(command(&[&ANY[..], &tls].concat()));
    let url = format!("https://{}", server.address);
    server.run_ok(&["--server", &url, "--ca-file", &certificate, "queue", "list"]);
    let unknown = server.run(&["--server", &url, "queue", "list"]);
    assert_eq!(unknown.code, 5);
    assert!(unknown.stderr.contains("certificate"), "the error names the cause: {}", unknown.stderr);
}

#[test]
fn the_clock_cannot_be_controlled_unless_test_mode_is_enabled() {
    let folder = folder("serve-test-mode");
    let control = [&ANY[..], &["--memory", "--control", "127.0.0.1:0"]].concat();
    let ran = rejected(in_folder(folder.path(), &control));
    assert!(ran.stderr.contains("test mode is not enabled"), "{}", ran.stderr);
    std::fs::write(folder.path().join("redrive.toml"), "[test_mode]\nenabled = true\n").unwrap();
    let server = TestServer::start(in_folder(folder.path(), &control));
    assert!(server.control.as_deref().is_some_and(|control| control.starts_with("127.0.0.1:")));
}

#[test]
fn completions_and_manual_pages_exist_for_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = outcome(command(&["completions", shell]).spawn().unwrap());
        assert_eq!(script.code, 0);
        assert!(script.stdout.contains("produce"), "{shell}");
    }
    let page = outcome(command(&["man", "queue", "create"]).spawn().unwrap());
    assert!(page.stdout.contains("dead\\-queue"), "{}", page.stdout);
    assert_eq!(outcome(command(&["man", "nonsense"]).spawn().unwrap()).code, 2);
}

/// A regression test: `--auth internal` gave every caller full access to a new store.
#[test]
fn a_new_store_with_authentication_prints_the_administrators_key_once() {
    let folder = folder("serve-admin");
    let serve = |more: &[&str]| {
        let data = folder.path().join("data");
        let arguments =
            ["serve", "--listen", "127.0.0.1:0", "--auth", "internal", "--data-dir", data.to_str().unwrap()];
        in_folder(folder.path(), &[&arguments[..], more].concat())
    };
    let start = |more: &[&str]| {
        let log = folder.path().join("stderr");
        let mut server = TestServer::logging(serve(more), std::fs::File::create(&log).unwrap().into());
        let address = server.address.clone();
        let allowed = |key: Option<&str>| {
            let mut list = command(&["--server", &address, "queue", "list"]);
            key.iter().for_each(|key| _ = list.env("REDRIVE_API_KEY", key));
            outcome(list.spawn().unwrap()).code == 0
        };
        assert!(!allowed(None), "a caller without a key has no access");
        let logged = std::fs::read_to_string(&log).unwrap();
        let key = logged.lines().find_map(|line| line.strip_prefix("administrator's API key, shown only once: "));
        assert_eq!(logged.matches("rdr-admin-").count(), usize::from(key.is_some()), "the key is not logged: {logged}");
        let key = key.map(str::to_owned);
        assert!(key.as_ref().is_none_or(|key| allowed(Some(key))));
        assert_eq!(server.stop(), Some(0));
        key
    };
    assert!(start(&["--log", "trace"]).is_some());
    assert_eq!(start(&["--log", "trace"]), None, "the key is printed once");

    let key = folder.path().join("key");
    std::fs::write(&key, format!("rdr-mine-{}\n", "k".repeat(50))).unwrap();
    let file = format!("auth.admin_key_file={}", key.display());
    assert_eq!(start(&["--set", &file]), None, "a key from a file is not printed");

    for (more, expected) in [
        (&["--set", "auth.bootstrap=anonymous", "--set", &file][..], "remove auth.admin_key_file"),
        (&["--set", "auth.bootstrap=anonymous", "--listen", "0.0.0.0:0"], "on a loopback address only"),
        (&["--set", "auth.admin_key_file=/nowhere/key"], "cannot be read"),
    ] {
        let mut arguments = vec!["serve", "--memory", "--auth", "internal"];
        arguments.extend(more);
        let ran = rejected(in_folder(folder.path(), &arguments));
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
}

/// The resident memory of a process, in bytes.
fn memory_of(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    resident.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// Opens `count` connections, and sends on each an import whose body is one byte short.
fn large_bodies(address: &str, count: usize) -> Vec<TcpStream> {
    let bytes = 58_000_000;
    let piece = vec![b' '; 1_000_000];
    let begin = || {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "POST /v1/storage/items.import HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {bytes}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut left = bytes - 1;
        // The server closes the connection of a rejected request.
        while left > 0 && stream.write_all(&piece[..left.min(piece.len())]).is_ok() {
            left -= left.min(piece.len());
        }
        stream
    };
    (0..count).map(|_| begin()).collect()
}

/// A regression test: 20 connections without a key took 1.27 GB.
#[test]
fn bodies_of_callers_without_a_key_take_no_memory() {
    let server = TestServer::start(command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--auth", "internal"]));
    let before = memory_of(server.child.id());
    let bodies = large_bodies(&server.address, 20);
    let grown = memory_of(server.child.id()).saturating_sub(before);
    assert!(grown < 64_000_000, "{grown} bytes for {} connections", bodies.len());
}

#[test]
fn the_memory_of_bodies_is_bounded_and_released() {
    let most = ["--set", "server.bodies_bytes_max=128000000"];
    let server = TestServer::start(command(&[&["serve", "--memory", "--listen", "127.0.0.1:0"], &most[..]].concat()));
    let before = memory_of(server.child.id());
    let bodies = large_bodies(&server.address, 20);
    let grown = || memory_of(server.child.id()).saturating_sub(before);
    assert!(grown() < 256_000_000, "{} bytes", grown());
    drop(bodies);
    // The allocator returns the memory with a delay, during later requests.
    for _ in 0..5_000 {
        if grown() < 64_000_000 {
            return;
        }
        assert!(get(&server.address, "/health").starts_with("HTTP/1.1 200"));
    }
    panic!("{} bytes are kept", grown());
}
