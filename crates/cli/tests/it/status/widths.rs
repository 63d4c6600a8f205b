//! The overview at three widths of the terminal, compared with files in `tests/snapshots`.

use serde_json::json;

use super::{busy_server, status};
use crate::outcome;
use crate::retries::until;
use crate::test_server::{TestServer, compare_with_snapshot};

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
        compare_with_snapshot(&format!("{name}-{width}"), &printed);
    }
}

/// A frozen server whose only destination has been down for five seconds.
fn server_with_open_breaker() -> TestServer {
    // Nothing listens at this port.
    let target =
        "targets = [{ queue = \"orders-dead\", http = \"http://ann:secret@127.0.0.1:9/orders?token=secret\" }]";
    let server = TestServer::frozen_with("status-breaker", &format!("[dlq]\nbreaker_threshold = 1\n{target}\n"));
    let capture = ["letters", "capture", "orders-dead", "{}", "--source-id", "order-1", "--destination", "bank"];
    server.run_ok(&[&capture[..], &["--error", "timed out", "--retry-policy", "immediate"]].concat());
    until("the breaker opens", || status(&server, &[])["retries"][0]["open_breakers"] == 1);
    server.advance("5s");
    // The claims of the processor wait for the next letter, and for one that probes.
    until("the processor waits", || status(&server, &[])["queues"][0]["waiting"] == 2);
    server
}

#[test]
fn a_destination_that_is_down_is_shown_at_every_width() {
    let server = server_with_open_breaker();
    compare(&server, "status-breaker", &["status"]);
    let object = status(&server, &[]);
    let down = json!({ "destination": "bank", "breaker": "half_open", "open_since": "2026-11-15T12:00:00Z", "next_probe_at": null,
        "failing_since": "2026-11-15T12:00:00Z", "last_error": "POST http://127.0.0.1:9/orders was not reached" });
    assert_eq!(object["retries"][0]["destinations"], json!([down]));
    let process = server.objects(&["letters", "process", "orders-dead"]).remove(0);
    assert_eq!(process["destinations"], json!([object["retries"][0]["destinations"][0]]));
    let shown = server.run_ok(&["letters", "process", "orders-dead"]);
    let expected = "bank: circuit breaker half_open, open since 2026-11-15T12:00:00Z, \
                    failing since 2026-11-15T12:00:00Z: POST http://127.0.0.1:9/orders was not reached";
    assert!(shown.contains(expected), "{shown}");
    assert_eq!(object["queues"][0]["target"], "http http://127.0.0.1:9/orders", "without its secrets");
}

#[test]
fn the_overview_fits_the_width_of_the_terminal() {
    let server = busy_server();
    compare(&server, "status", &["status"]);
    compare(&TestServer::frozen(), "status-empty", &["status"]);
}
