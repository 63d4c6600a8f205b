//! The examples of every `--help`, run as a user would. Those of `redrive letters` have their own test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::help::{examples, leaves};
use crate::test_server::{TestServer, command as redrive_command, folder, folder_with};
use crate::{outcome, redrive};

/// The placeholder of an id in the examples. That of an audit record is followed by its number.
const IDS: [&str; 3] = ["3M928yx0UrfVbDwCKPpjAHbKnmG-17", "3M928yx0UrfVbDwCKPpjAHbKnmG", "2PqKcMkQhVbFQ0dQ4mC3nCyaQWz"];

/// What an example needs, as a script. `id` is the file with the id that its placeholder stands for.
fn preparation(command: &[String], example: &str) -> String {
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    let queues = "redrive queue create orders-dead
        redrive queue create orders --dead-queue orders-dead\n";
    let item = "redrive produce orders 'a book'\n";
    let leased = "redrive lease orders --json | sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/' > id\n";
    let users = "redrive namespace create shop
        redrive user create ann
        redrive user create ci
        redrive role create operator --namespace shop --permission letters.read,queue.stats
        redrive binding create --role operator --user ann --namespace shop\n";
    let id_of = |list: &str| format!("{list} --json | tail -n 1 | sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/' > id\n");
    match words[..] {
        ["queue", "create"] if example.contains("--dead-queue") => "redrive queue create orders-dead\n".to_owned(),
        ["queue" | "namespace" | "user", "create"] => String::new(),
        ["role", "create"] | ["namespace", "delete"] => "redrive namespace create shop\n".to_owned(),
        ["binding", "create"] | ["role", "delete"] => {
            format!("{users}redrive binding delete --role operator --user ann --namespace shop --yes\n")
        }
        ["key", "show" | "delete"] => {
            let list = id_of("redrive key list --user ann");
            format!("{users}redrive key create ann --secret-file other.key\n{list}")
        }
        ["binding", "show"] => users.to_owned() + &id_of("redrive binding list --namespace shop"),
        ["namespace" | "user" | "key" | "role" | "binding", _] | ["whoami"] => users.to_owned(),
        ["context", _] => "mkdir -p .redrive; echo rdr-live-x > .redrive/prod.key
            redrive context set prod --server http://127.0.0.1:1
            redrive context set staging
            redrive context use prod\n"
            .to_owned(),
        ["audit", "show"] => format!("{queues}{}", id_of("redrive audit list --limit 1")),
        ["audit", _] => format!("{queues}{users}redrive audit export --file exported.jsonl\n"),
        ["doctor", _] => "redrive serve --listen 127.0.0.1:0 > ready 2> log & SERVER=$!
            until grep -q ready ready; do sleep 0.05; done; kill $SERVER; wait $SERVER\n"
            .to_owned(),
        ["route", _] if example.contains("route create") => queues.to_owned(),
        ["route", _] => {
            let created = "redrive route create orders --file orders.toml\n";
            let of_shop = "redrive route create orders --namespace shop --file orders.toml\n";
            format!("redrive namespace create shop\n{queues}{created}{of_shop}")
        }
        ["items", "import"] => format!("{queues}{item}redrive items export orders > orders.jsonl\n"),
        ["complete" | "retry"] | ["items", "delete"] => format!("{queues}{item}{leased}{item}"),
        ["config", "check"] => "redrive config template > redrive.toml\n".to_owned(),
        ["completions"] => "mkdir -p .local/share/bash-completion/completions .zfunc .config/fish/completions\n".into(),
        _ => format!("redrive namespace create shop\n{queues}{item}"),
    }
}

/// An example is run in a folder with the files that examples name.
fn run(server: &TestServer, folder: &Path, line: &str) -> Output {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_redrive"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("PATH", path).env("HOME", folder).stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("REDRIVE_")) {
        shell.env_remove(name);
    }
    shell.env("REDRIVE_SERVER", format!("http://{}", server.address)).env("XDG_CONFIG_HOME", folder.join("config"));
    shell.output().unwrap()
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

#[test]
fn the_examples_of_every_command_work() {
    let mut count = 0;
    let commands = leaves(&[]);
    assert!(commands.len() > 40, "{commands:?}");
    for command in commands.iter().filter(|command| !["letters", "serve", "consume"].contains(&command[0].as_str())) {
        for example in examples(command) {
            let folder = folder("examples");
            let target = "[targets.billing]\nhttp = 'http://127.0.0.1:1/'\nnamespaces = ['_system', 'shop']\n";
            std::fs::write(folder.path().join("server.toml"), target).unwrap();
            let mut serve =
                redrive_command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--config", "server.toml"]);
            serve.current_dir(folder.path());
            let server = TestServer::start(serve);
            for (name, content) in [
                ("orders.toml", "target = 'billing'\nqueue = { name = 'orders' }\n"),
                ("order.bin", "bytes"),
                ("orders.jsonl", "one\ntwo\n"),
                ("errors.log", "timed out\n"),
                ("shop.toml", "max_attempts = 3\n"),
            ] {
                std::fs::write(folder.path().join(name), content).unwrap();
            }
            let prepared = run(&server, folder.path(), &format!("set -e\n{}", preparation(command, &example)));
            assert!(prepared.status.success(), "{example}: {}", text(&prepared));
            // The second server of an example is the same one.
            let mut line = example.replace("10.0.0.2:2319", &server.address);
            line = IDS.iter().fold(line, |line, id| line.replace(id, "$(cat id)"));
            match (line.contains("--file audit.jsonl"), line.contains("verify")) {
                (true, true) => {
                    std::fs::rename(folder.path().join("exported.jsonl"), folder.path().join("audit.jsonl")).unwrap();
                }
                _ if line.starts_with("redrive items export") => {
                    std::fs::remove_file(folder.path().join("orders.jsonl")).unwrap();
                }
                _ => {}
            }
            let ran = run(&server, folder.path(), &line);
            // Without OpenSearch, only that the arguments are valid can be checked here.
            let expected = if command[0] == "search" { 4 } else { 0 };
            assert_eq!(ran.status.code(), Some(expected), "{line}\n{}", text(&ran));
            count += 1;
        }
    }
    assert!(count > 60, "only {count} examples were found");
}

#[test]
fn the_examples_of_serve_start_a_server() {
    let examples = examples(&["serve".to_owned()]);
    for example in &examples {
        let folder = folder_with("examples-serve", &redrive(&["config", "template"]).stdout);
        let words: Vec<String> = example.split(' ').skip(1).map(|word| word.replace(":4000", ":0")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut serve = redrive_command(&words);
        serve.current_dir(folder.path()).env("REDRIVE_LISTEN", "127.0.0.1:0");
        let server = TestServer::start(serve);
        assert_eq!(outcome(server.command(&["queue", "list"]).spawn().unwrap()).code, 0, "{example}");
    }
    assert!(examples.len() >= 3);
}
