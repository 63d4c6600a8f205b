//! `redrive serve` and `redrive config`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use crate::bed::{Bed, command, folder};
use crate::{Ran, outcome};

const ANY: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// A server that is expected not to start.
fn refused(mut serve: Command) -> Ran {
    let ran = outcome(serve.spawn().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "it did not start: {}", ran.stderr);
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
fn it_says_where_it_serves_once_it_does() {
    let bed = Bed::new();
    assert!(bed.address.starts_with("127.0.0.1:") && !bed.address.ends_with(":0"), "{}", bed.address);
    assert_eq!(bed.control, None);
    assert!(get(&bed.address, "/health").starts_with("HTTP/1.1 200"));
    assert!(get(&bed.address, "/metrics").contains("http_handler_duration"));
}

#[test]
fn an_address_that_others_reach_needs_a_word() {
    let folder = folder("serve-anonymous");
    let ran = refused(in_folder(&folder, &["serve", "--memory", "--listen", "0.0.0.0:0"]));
    assert!(ran.stderr.contains("--allow-anonymous") && ran.stderr.contains("127.0.0.1:0"), "{}", ran.stderr);
    let file = folder.join("redrive.toml");
    std::fs::write(&file, "[server]\nlisten = '0.0.0.0:0'\n").unwrap();
    let ran = refused(in_folder(&folder, &["serve", "--memory"]));
    assert!(ran.stderr.contains("0.0.0.0:0 can be reached by others"), "{}", ran.stderr);
}

#[test]
fn flags_go_before_the_environment_before_the_file() {
    let folder = folder("serve-precedence");
    let file =
        |level: &str| std::fs::write(folder.join("redrive.toml"), format!("[log]\nlevel = '{level}'\n")).unwrap();
    // A level that is none is told by its name, which shows whose it is.
    let told = |environment: Option<&str>, flag: Option<&str>| {
        let mut serve = in_folder(&folder, &ANY);
        serve.arg("--memory").envs(environment.map(|level| ("REDRIVE_LOG", level)));
        serve.args(flag.iter().flat_map(|level| ["--log", level]));
        refused(serve).stderr
    };
    file("of=the=file");
    assert!(told(None, None).contains("'of=the=file'"));
    assert!(told(Some("of=the=environment"), None).contains("'of=the=environment'"));
    assert!(told(Some("of=the=environment"), Some("of=the=flag")).contains("'of=the=flag'"));
    // And what is set above makes what is wrong below harmless.
    let mut serve = in_folder(&folder, &ANY);
    serve.args(["--memory", "--log", "info"]);
    let bed = Bed::start(serve);
    bed.done(&["queue", "list"]);
}

#[test]
fn a_file_is_taken_from_where_it_is_said() {
    let folder = folder("serve-config");
    std::fs::write(folder.join("other.toml"), "[server]\nlisten = '127.0.0.1:0'\n[store]\nmemory = true\n").unwrap();
    let bed = Bed::start(in_folder(&folder, &["serve", "--config", "other.toml"]));
    bed.done(&["queue", "list"]);
    assert!(!folder.join("redrive-data").exists(), "it was told to keep all in memory");
    let missing = refused(in_folder(&folder, &["serve", "--config", "missing.toml"]));
    assert!(missing.stderr.contains("missing.toml"), "{}", missing.stderr);
}

#[test]
fn a_setting_that_nobody_knows_is_an_error() {
    let folder = folder("serve-unknown");
    std::fs::write(folder.join("redrive.toml"), "[server]\nlisten_on = '127.0.0.1:0'\n").unwrap();
    let ran = refused(in_folder(&folder, &["serve", "--memory"]));
    assert!(ran.stderr.contains("unknown setting 'server.listen_on'"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean 'server.listen'?"), "{}", ran.stderr);
    let checked = refused(in_folder(&folder, &["config", "check", "redrive.toml"]));
    assert!(checked.stderr.contains("did you mean 'server.listen'?"), "{}", checked.stderr);
}

/// Said by a check of the file, and at the start.
#[test]
fn what_cannot_be_used_is_said_before_anything_is_served() {
    let folder = folder("serve-unusable");
    let worker = "[[dlq.targets]]\nqueue = 'dead'\nworker = ['no-such-worker']\n";
    let tls = "[server]\ntls_certificate = 'none.pem'\ntls_key = 'none.key'\n";
    for (text, said) in [
        ("[log]\nlevel = 'inof'\n", "log.level 'inof' is none"),
        ("[log]\nlevel = 'info,redrive_server=debg'\n", "is none"),
        (worker, "there is no program 'no-such-worker'"),
        (tls, "none.pem"),
    ] {
        std::fs::write(folder.join("redrive.toml"), text).unwrap();
        for arguments in [&["config", "check", "redrive.toml"][..], &["serve", "--memory", "--listen", "127.0.0.1:0"]] {
            let ran = refused(in_folder(&folder, arguments));
            assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_variable_that_nobody_knows_is_an_error() {
    let folder = folder("serve-variables");
    std::fs::write(folder.join("redrive.toml"), "").unwrap();
    for arguments in [&["config", "check", "redrive.toml"][..], &["serve", "--memory", "--listen", "127.0.0.1:0"]] {
        let mut command = in_folder(&folder, arguments);
        command.env("REDRIVE_LISTNE", "127.0.0.1:0");
        let ran = refused(command);
        assert!(
            ran.stderr.contains("unknown variable 'REDRIVE_LISTNE'\n  did you mean 'REDRIVE_LISTEN'?"),
            "{}",
            ran.stderr
        );
    }
    let mut command = in_folder(&folder, &["config", "check", "redrive.toml"]);
    command.envs([
        ("REDRIVE_SERVICE_HOST", "10.0.0.1"),
        ("REDRIVE_PORT_2319_TCP", "tcp://10.0.0.1:2319"),
        ("REDRIVE_API_KEY", "k"),
    ]);
    assert_eq!(outcome(command.spawn().unwrap()).code, 0, "Kubernetes and the command line have some, too");
}

#[test]
fn the_template_is_a_file_that_can_be_used() {
    let folder = folder("serve-template");
    let template = outcome(command(&["config", "template"]).spawn().unwrap());
    assert_eq!(template.code, 0);
    // Everything in it is a comment; taken as it says, it means the defaults.
    let is_setting = |line: &&str| line.starts_with('#') && line.contains(" =") && !line.starts_with("# ");
    let settings = template.stdout.lines().filter(is_setting).count();
    assert!(settings > 10, "{}", template.stdout);
    let set = |line: &str| if is_setting(&line) { line[1..].to_owned() } else { line.to_owned() };
    // Those without a default are left out.
    let lines = template.stdout.lines().map(set).filter(|line| !line.trim_end().ends_with('='));
    let used: Vec<String> = lines.collect();
    for (name, text) in [("as-it-is.toml", template.stdout.clone()), ("redrive.toml", used.join("\n"))] {
        std::fs::write(folder.join(name), text).unwrap();
        let checked = outcome(in_folder(&folder, &["config", "check", name]).spawn().unwrap());
        assert_eq!((checked.code, checked.stdout), (0, format!("{name} can be used\n")), "{}", checked.stderr);
    }
    let bed = Bed::start(in_folder(&folder, &ANY));
    bed.done(&["queue", "list"]);
    assert!(folder.join("redrive-data").is_dir(), "the folder that the template names");
}

#[test]
fn what_was_acknowledged_is_there_after_a_restart() {
    let folder = folder("serve-restart");
    let serve = || in_folder(&folder, &[&ANY[..], &["--data-dir", "data"]].concat());
    let mut bed = Bed::start(serve());
    bed.done(&["queue", "create", "orders", "--reference", "kept"]);
    bed.run_with(&["produce", "orders"], b"a\nb\n");
    bed.done(&["produce", "orders", "c", "--delay", "1h"]);
    let id = bed.objects(&["lease", "orders"])[0]["id"].as_str().unwrap().to_owned();
    let before = bed.done(&["items", "export", "orders"]);
    assert_eq!(bed.stop(), Some(0), "told to stop, it ends well");

    let bed = Bed::start(serve());
    assert_eq!(bed.done(&["items", "export", "orders"]), before);
    assert_eq!(bed.objects(&["queue", "info", "orders"])[0]["reference"], "kept");
    bed.done(&["complete", "orders", &id]);
}

#[test]
fn a_lease_that_waits_is_let_go_when_the_server_stops() {
    let mut bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let waiting = bed.command(&["lease", "orders", "--wait", "10m"]).spawn().unwrap();
    while bed.objects(&["queue", "stats", "orders"])[0]["lease_waiting"] != 1 {}
    assert_eq!(bed.stop(), Some(0));
    let ran = outcome(waiting);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    assert!(ran.stderr.contains("shutting down"), "{}", ran.stderr);
}

#[test]
fn over_tls_only_who_is_trusted_is_asked() {
    let certificates = concat!(env!("CARGO_MANIFEST_DIR"), "/../client/tests/it/certificates");
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| format!("{certificates}/{name}"));
    let tls = ["--memory", "--tls-certificate", &certificate, "--tls-key", &key];
    let bed = Bed::start(command(&[&ANY[..], &tls].concat()));
    let server = format!("https://{}", bed.address);
    bed.done(&["--server", &server, "--ca-file", &certificate, "queue", "list"]);
    let unknown = bed.run(&["--server", &server, "queue", "list"]);
    assert_eq!(unknown.code, 5);
    assert!(unknown.stderr.contains("certificate"), "it says why: {}", unknown.stderr);
}

#[test]
fn the_clock_is_nobodys_unless_test_mode_is_enabled() {
    let folder = folder("serve-test-mode");
    let control = [&ANY[..], &["--memory", "--control", "127.0.0.1:0"]].concat();
    let ran = refused(in_folder(&folder, &control));
    assert!(ran.stderr.contains("test mode is not enabled"), "{}", ran.stderr);
    std::fs::write(folder.join("redrive.toml"), "[test_mode]\nenabled = true\n").unwrap();
    let bed = Bed::start(in_folder(&folder, &control));
    assert!(bed.control.as_deref().is_some_and(|control| control.starts_with("127.0.0.1:")));
}

#[test]
fn completions_and_manual_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = outcome(command(&["completions", shell]).spawn().unwrap());
        assert_eq!(script.code, 0);
        assert!(script.stdout.contains("produce"), "{shell}");
    }
    let page = outcome(command(&["man", "queue", "create"]).spawn().unwrap());
    assert!(page.stdout.contains("dead\\-queue"), "{}", page.stdout);
    assert_eq!(outcome(command(&["man", "nonsense"]).spawn().unwrap()).code, 2);
}

/// `--auth internal` let everybody do everything on a new store.
#[test]
fn a_new_server_that_asks_writes_the_administrators_key_to_stderr_once() {
    let folder = folder("serve-admin");
    let serve = |more: &[&str]| {
        let data = folder.join("data");
        let arguments =
            ["serve", "--listen", "127.0.0.1:0", "--auth", "internal", "--data-dir", data.to_str().unwrap()];
        in_folder(&folder, &[&arguments[..], more].concat())
    };
    let start = |more: &[&str]| {
        let log = folder.join("stderr");
        let mut bed = Bed::logging(serve(more), std::fs::File::create(&log).unwrap().into());
        let address = bed.address.clone();
        let allowed = |key: Option<&str>| {
            let mut list = command(&["--server", &address, "queue", "list"]);
            key.iter().for_each(|key| _ = list.env("REDRIVE_API_KEY", key));
            outcome(list.spawn().unwrap()).code == 0
        };
        assert!(!allowed(None), "whoever shows no key may do nothing");
        let told = std::fs::read_to_string(&log).unwrap();
        let key = told.lines().find_map(|line| line.strip_prefix("the administrator's key, shown this once: "));
        assert_eq!(told.matches("rdr-admin-").count(), usize::from(key.is_some()), "it is in no log: {told}");
        let key = key.map(str::to_owned);
        assert!(key.as_ref().is_none_or(|key| allowed(Some(key))));
        assert_eq!(bed.stop(), Some(0));
        key
    };
    assert!(start(&["--log", "trace"]).is_some());
    assert_eq!(start(&["--log", "trace"]), None, "it is shown once");

    let key = folder.join("key");
    std::fs::write(&key, format!("rdr-mine-{}\n", "k".repeat(50))).unwrap();
    let file = format!("auth.admin_key_file={}", key.display());
    assert_eq!(start(&["--set", &file]), None, "whoever wrote it knows it");

    for (more, why) in [
        (&["--set", "auth.bootstrap=anonymous", "--set", &file][..], "leave out auth.admin_key_file"),
        (&["--set", "auth.bootstrap=anonymous", "--listen", "0.0.0.0:0"], "for this machine alone"),
        (&["--set", "auth.admin_key_file=/nowhere/key"], "cannot be read"),
    ] {
        let mut arguments = vec!["serve", "--memory", "--auth", "internal"];
        arguments.extend(more);
        let ran = refused(in_folder(&folder, &arguments));
        assert!(ran.stderr.contains(why), "{why}: {}", ran.stderr);
    }
}

/// Bytes of memory that a process holds.
fn memory_of(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    resident.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// As many bodies of an import as somebody likes to begin; each is left one byte short.
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
        // Whoever is refused is cut off.
        while left > 0 && stream.write_all(&piece[..left.min(piece.len())]).is_ok() {
            left -= left.min(piece.len());
        }
        stream
    };
    (0..count).map(|_| begin()).collect()
}

/// Twenty connections without a key took 1.27 GB, for as long as they liked.
#[test]
fn strangers_have_no_memory_taken_up() {
    let bed = Bed::start(command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--auth", "internal"]));
    let before = memory_of(bed.child.id());
    let bodies = large_bodies(&bed.address, 20);
    let grown = memory_of(bed.child.id()).saturating_sub(before);
    assert!(grown < 64_000_000, "{grown} bytes for {} strangers", bodies.len());
}

#[test]
fn bodies_take_up_a_bounded_part_of_memory_and_give_it_back() {
    let most = ["--set", "server.bodies_bytes_max=128000000"];
    let bed = Bed::start(command(&[&["serve", "--memory", "--listen", "127.0.0.1:0"], &most[..]].concat()));
    let before = memory_of(bed.child.id());
    let bodies = large_bodies(&bed.address, 20);
    let grown = || memory_of(bed.child.id()).saturating_sub(before);
    assert!(grown() < 256_000_000, "{} bytes", grown());
    drop(bodies);
    // It is given back a little later than it is free, by whoever asks for some.
    for _ in 0..5_000 {
        if grown() < 64_000_000 {
            return;
        }
        assert!(get(&bed.address, "/health").starts_with("HTTP/1.1 200"));
    }
    panic!("{} bytes are kept", grown());
}
