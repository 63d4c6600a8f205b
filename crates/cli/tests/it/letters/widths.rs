//! The tables of `redrive letters` at three widths of the terminal, compared with files in `tests/snapshots`.

use super::{captured, with_target};
use crate::outcome;
use crate::test_server::{TestServer, compare_with_snapshot, without_ids};

const WIDTHS: [&str; 3] = ["80", "120", "200"];

/// A server with letters of every kind.
fn with_letters() -> TestServer {
    let server = with_target("letters-widths");
    let bank = "HTTP 503 Service Unavailable: the bank does not answer, and nobody knows when it will be back again";
    for number in 1..=3 {
        let source_id = format!("order-{number}");
        captured(&server, &["{}", "--source-id", &source_id, "--error", bank, "--destination", "bank"]);
    }
    server.advance("45s");
    let denied = "permission denied for account 7: 残高が不足しています";
    captured(&server, &["{}", "--source-id", "customer-7", "--error", denied, "--max-retries", "0"]);
    let strange = "two\nlines\tand \u{1b}[2J";
    captured(&server, &["{}", "--source-id", "strange", "--error", strange, "--retry-policy", "never"]);
    server.advance("26h");
    captured(
        &server,
        &["{}", "--source-id", &"long-".repeat(20), "--error", "timed out", "--retry-policy", "immediate"],
    );
    server.run_ok(&["letters", "archive", "dead", "order-2"]);
    server.run_ok(&["letters", "note", "dead", "order-1", "asked the bank twice", "--tag", "bank"]);
    server
}

fn compare(server: &TestServer, name: &str, arguments: &[&str]) {
    for width in WIDTHS {
        let mut command = server.command(&[&["letters"], arguments].concat());
        command.env("COLUMNS", width);
        let ran = outcome(command.spawn().unwrap()).succeeded();
        let printed = without_ids(&format!("{}---\n{}", ran.stdout, ran.stderr));
        compare_with_snapshot(&format!("letters-{name}-{width}"), &printed);
    }
}

#[test]
fn tables_fit_the_width_of_the_terminal() {
    let server = with_letters();
    for (name, arguments) in [
        ("list", &["list", "dead"][..]),
        ("list-all-by-due", &["list", "dead", "--all", "--sort", "due", "--limit", "4"]),
        ("groups", &["groups", "dead"]),
        ("show", &["show", "dead", "order-1"]),
        ("stats", &["stats", "dead"]),
        ("configure", &["configure", "dead", "max_size=500"]),
    ] {
        compare(&server, name, arguments);
    }
}
