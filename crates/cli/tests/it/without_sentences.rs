//! Remedies and exit codes do not depend on a sentence of the server.

use crate::blank_proxy::BlankProxy;
use crate::test_server::TestServer;
use crate::{CommandOutput, outcome};

/// An id that nothing has.
const UNKNOWN: &str = "2PqKcMkQhVbFQ0dQ4mC3nCyaQWz";

/// The line with the error, which may be the sentence of the server, and the other lines: reports and the remedy.
fn problem_and_rest(ran: &CommandOutput) -> (Vec<&str>, Vec<&str>) {
    ran.stderr.lines().partition(|line| line.starts_with("error: "))
}

#[test]
fn exit_codes_and_remedies_are_the_same_without_the_sentences_of_the_server() {
    let server = TestServer::new();
    let proxy = BlankProxy::new(server.address.parse().unwrap());
    for setup in [
        &["queue", "create", "dead"][..],
        &["queue", "create", "orders", "--dead-queue", "dead"],
        &["namespace", "create", "shop"],
        &["queue", "create", "baskets", "--namespace", "shop"],
        &["namespace", "create", "bank"],
        &["role", "create", "clerk", "--namespace", "bank", "--permission", "queue.lease"],
        &["letters", "capture", "dead", "one", "--source-id", "order-17"],
    ] {
        server.run_ok(setup);
    }
    for (arguments, code) in [
        (&["queue", "info", "ordrs"][..], 3),
        (&["queue", "create", "orders"], 4),
        (&["queue", "create", "new", "--dead-queue", "missing"], 3),
        (&["queue", "delete", "dead", "--yes", "--reason", "test"], 4),
        (&["lease", "orders", "--wait", "10ms"], 6),
        (&["complete", "orders", UNKNOWN], 3),
        (&["complete", "orders", "no-id"], 4),
        (&["retry", "orders", UNKNOWN], 3),
        (&["letters", "list", "ded"], 3),
        (&["letters", "show", "dead", UNKNOWN], 3),
        (&["letters", "show", "dead", "no-id"], 3),
        (&["letters", "capture", "dead", "another", "--source-id", "order-17"], 4),
        (&["letters", "retry", "dead", "order-17"], 4),
        (&["namespace", "create", "shop"], 4),
        (&["namespace", "delete", "shop", "--yes"], 4),
        (&["namespace", "delete", "bank", "--yes"], 4),
        (&["namespace", "delete", "missing", "--yes"], 3),
        (&["role", "delete", "missing", "--namespace", "bank", "--yes"], 3),
        (&["role", "create", "other", "--namespace", "bank", "--permission", "fly"], 4),
        (&["queue", "create", "new", "--namespace", "missing"], 3),
        (&["letters", "list", "dead", "--filter", "headers.a == 'b'"], 2),
        (&["letters", "bulk", "archive", "dead", "--filter", "key == 'b'", "--dry-run"], 2),
        (&["letters", "resume", "dead", UNKNOWN], 4),
    ] {
        let told = server.run(arguments);
        let url = format!("http://{}", proxy.address);
        let blank = outcome(server.command(arguments).env("REDRIVE_SERVER", url).spawn().unwrap());
        assert_eq!(told.code, code, "{arguments:?}: {}", told.stderr);
        let ((told_problem, told_rest), (problem, rest)) = (problem_and_rest(&told), problem_and_rest(&blank));
        assert_eq!((blank.code, rest), (told.code, told_rest), "{arguments:?}");
        assert!(problem == told_problem || problem == ["error: x"], "{arguments:?}: {}", blank.stderr);
    }
}
