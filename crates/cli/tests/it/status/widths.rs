//! The overview at three widths of the terminal, compared with files in `tests/snapshots`. With
//! `REDRIVE_SNAPSHOTS=write` the files are written instead.

use std::path::Path;

use serde_json::json;

use super::{advance, busy_server, status};
use crate::outcome;
use crate::retries::until;
use crate::test_server::{NOON, TestServer, command, folder};

const WIDTHS: [&str; 3] = ["80", "120", "200"];

fn compare(server: &TestServer, name: &str, arguments: &[&str]) {
    for width in WIDTHS {
        let mut command = server.command(arguments);
        command.env("COLUMNS", width);
        let ran = outcome(command.spawn().unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        // Port and version differ from run to run and from release to release.
        let address = format!("http://{}, version {}", server.address, env!("CARGO_PKG_VERSION"));
        let printed = ran.stdout.replace(&address, "<server>");
        for line in printed.lines() {
            assert!(line.chars().count() <= width.parse().unwrap(), "{line:?} is wider than {width}");
        }
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/{name}-{width}.txt"));
        if std::env::var("REDRIVE_SNAPSHOTS").as_deref() == Ok("write") {
            std::fs::write(&file, &printed).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(printed, expected, "\n{} differs; it is\n{printed}", file.display());
    }
}

/// A frozen server whose only destination has been down for five seconds.
fn server_with_open_breaker() -> TestServer {
    let folder = folder("status-breaker");
    // Nothing listens at this port.
    let target =
        "targets = [{ queue = \"orders-dead\", http = \"http://ann:secret@127.0.0.1:9/orders?token=secret\" }]";
    std::fs::write(folder.join("redrive.toml"), format!("[dlq]\nbreaker_threshold = 1\n{target}\n")).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]);
    serve.args(["--freeze", NOON]).env("REDRIVE_TEST_MODE", "true").current_dir(&folder);
    let server = TestServer::start(serve);
    let capture = ["letters", "capture", "orders-dead", "{}", "--source-id", "order-1", "--destination", "bank"];
    server.run_ok(&[&capture[..], &["--error", "timed out", "--retry-policy", "immediate"]].concat());
    until("the breaker opens", || status(&server, &[])["retries"][0]["open_breakers"] == 1);
    advance(&server, "5s");
    // The claim of the processor waits for the next letter.
    until("the processor waits", || status(&server, &[])["queues"][0]["waiting"] == 1);
    server
}

#[test]
fn a_destination_that_is_down_is_shown_at_every_width() {
    let server = server_with_open_breaker();
    compare(&server, "status-breaker", &["status"]);
    let object = status(&server, &[]);
    let down = json!({ "destination": "bank", "breaker": "open", "next_probe_at": "2026-11-15T12:00:10Z",
        "failing_since": "2026-11-15T12:00:00Z", "last_error": "POST http://127.0.0.1:9/orders was not reached" });
    assert_eq!(object["retries"][0]["destinations"], json!([down]));
    assert_eq!(object["queues"][0]["target"], "http http://127.0.0.1:9/orders", "without its secrets");
}

#[test]
fn the_overview_fits_the_width_of_the_terminal() {
    let server = busy_server();
    compare(&server, "status", &["status"]);
    compare(&TestServer::frozen(), "status-empty", &["status"]);
}
