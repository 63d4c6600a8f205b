//! The examples of routes, with the commands of `docs/routes.md`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::fixture::Broker;
use crate::outcome;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Runs a command of the page in a shell at the root of the repository, with the broker of the tests and the program that
/// is tested. Returns what it prints.
fn run(example: &str) -> String {
    let line = format!("examples/routes/run.sh {example}");
    let page = std::fs::read_to_string(Path::new(REPOSITORY).join("docs/routes.md")).unwrap();
    assert!(page.contains(&format!("$ {line}\n")), "the page has the command {line}");
    let program = PathBuf::from(env!("CARGO_BIN_EXE_redrive"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("REDRIVE_")) {
        shell.env_remove(name);
    }
    shell.args(["-c", &line]).current_dir(REPOSITORY).env("PATH", path).env_remove("COLUMNS");
    shell.env("BOOTSTRAP_SERVERS", Broker::shared().address);
    let ran = outcome(shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert_eq!(ran.code, 0, "{line}\n{}{}", ran.stdout, ran.stderr);
    ran.stdout
}

/// The lines of an output, with single spaces.
fn lines(printed: &str) -> Vec<String> {
    printed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Checks that a route has done two orders, and made a letter of the third.
fn check_orders(printed: &str, error: &str) {
    let lines = lines(printed);
    assert!(lines.iter().any(|line| line.starts_with("orders running yes ")), "the route is healthy: {printed}");
    let letters: Vec<&String> = lines.iter().filter(|line| line.contains(" pending ")).collect();
    assert!(letters.len() == 1 && letters[0].contains(error), "one letter with {error}: {printed}");
}

#[test]
fn the_example_of_an_http_service_runs() {
    let printed = run("http");
    check_orders(&printed, "the order is empty");
    assert!(printed.contains("\nplaced novel\nplaced atlas\n"), "the atlas at its second attempt: {printed}");
    let broker = Broker::shared();
    let letters = broker.letters("redrive-example-http");
    // One more for each run on the same broker.
    assert!(!letters.is_empty() && letters.iter().all(|letter| letter.body.is_empty()), "{letters:?}");
}

#[test]
fn the_example_of_a_grpc_service_runs() {
    let printed = run("grpc");
    check_orders(&printed, "the order is empty");
    assert!(printed.contains("\nplaced novel\nplaced atlas\n"), "the atlas at its second attempt: {printed}");
}

#[test]
fn the_example_of_a_worker_runs() {
    check_orders(&run("worker"), "validation: nothing in it");
}

#[test]
fn the_example_of_a_spring_dlq_runs() {
    let printed = run("spring");
    let lines = lines(&printed);
    let has = |expected: &str| lines.iter().any(|line| line.contains(expected));
    let place = "origin kafka, redrive-example-spring, consumer billing, partition 0, offset ";
    let offset = lines.iter().find_map(|line| line.strip_prefix(place)?.split_once(',')).map(|(offset, _)| offset);
    let offset = offset.unwrap_or_else(|| panic!("{place}: {printed}"));
    for expected in [
        "java.lang.IllegalArgumentException: Listener failed",
        " completed ",
        "key customer-7",
        "header traceparent=00-ab-cd-01",
        "header redrive-replay-count=1",
        &format!("header redrive-replay-offset={offset}"),
        "value {\"order\":7,\"amount\":12}",
    ] {
        assert!(has(expected), "{expected}: {printed}");
    }
    assert!(!has("header kafka_dlt-"), "{printed}");
}
