//! A wrong value of an option is one sentence with the right form. The options of `redrive letters` have their own test.

use crate::test_server::TestServer;

const DURATION: &str = "expected a duration, as in 300ms, 90s, 1h30m, 3d or 1w";
const TIME: &str = "expected a time, as in 2026-11-15T12:00:00Z";
const MOMENT: &str = "expected a time, as in 2026-11-15T12:00:00Z, or how long ago it is, as in 2h or 3d";

/// A command, an option, wrong values, the form that the error names, and right values.
type Case = (&'static [&'static str], &'static str, &'static [&'static str], &'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    (&["queue", "list"], "--timeout", &["soon", "5"], DURATION, &["5s", "1d", "1w"]),
    (&["queue", "list"], "--output", &["xml"], "[possible values: table, json]", &["table", "json"]),
    (&["queue", "create", "q"], "--lease-timeout", &["soon"], DURATION, &["1d"]),
    (&["queue", "update", "orders"], "--expire-timeout", &["soon"], DURATION, &["2w"]),
    (
        &["queue", "update", "orders"],
        "--max-attempts",
        &["many", "65537", "1.5"],
        "expected a whole number from 0 to 65536",
        &["0", "65536"],
    ),
    (
        &["queue", "update", "orders"],
        "--partitions",
        &["0", "1025", "two"],
        "expected a whole number from 1 to 1024",
        &["1"],
    ),
    (&["produce", "orders", "x"], "--at", &["noon", "2026-11-15"], TIME, &["2126-11-15T12:00:00Z"]),
    (&["produce", "orders", "x"], "--delay", &["a while"], DURATION, &["1d"]),
    (&["produce", "orders", "x"], "--header", &["name"], "expected NAME=VALUE", &["name=value"]),
    (&["produce", "orders", "x"], "--priority", &["top"], "[possible values: high, medium, low]", &["high"]),
    (&["produce", "orders", "x"], "--batch", &["0", "65536", "all"], "expected a whole number from 1 to 65535", &["1"]),
    (&["lease", "orders"], "--count", &["0", "all"], "expected a whole number, 1 or more", &["1"]),
    (&["lease", "orders"], "--wait", &["long"], DURATION, &["1m"]),
    (&["items", "list", "orders"], "--limit", &["0", "all"], "expected a whole number, 1 or more", &["1"]),
    (&["items", "list", "orders"], "--partition", &["first"], "expected a whole number, 0 or more", &["0"]),
    (
        &["items", "list", "orders"],
        "--state",
        &["asleep"],
        "[possible values: ready, leased, scheduled, damaged]",
        &["ready"],
    ),
    (&["items", "export", "orders"], "--partition", &["first"], "expected a whole number, 0 or more", &["0"]),
    (&["items", "import", "orders"], "--partition", &["first"], "expected a whole number, 0 or more", &["0"]),
    (&["items", "import", "orders"], "--skip-lines", &["some"], "expected a whole number, 0 or more", &["1"]),
    (&["complete", "orders", "id"], "--partition", &["first"], "expected a whole number, 0 or more", &[]),
    (&["retry", "orders", "id"], "--delay", &["soon"], DURATION, &[]),
    (&["retry", "orders", "id"], "--http", &["99", "ok"], "expected a whole number from 100 to 599", &[]),
    (&["key", "create", "ann"], "--expires-at", &["tomorrow"], TIME, &["2126-01-01T00:00:00Z"]),
    (&["key", "create", "ann"], "--expires-in", &["90"], DURATION, &["90d"]),
    (&["audit", "list"], "--limit", &["0", "all"], "expected a whole number, 1 or more", &["1"]),
    (&["audit", "list"], "--since", &["yesterday"], MOMENT, &["1d", "2026-11-15T12:00:00Z"]),
    (&["audit", "export"], "--until", &["yesterday"], MOMENT, &["1d"]),
    (&["audit", "verify"], "--head", &["abc"], "expected a SHA-256: 64 hexadecimal digits", &[]),
    (&["classify", "x"], "--attempt", &["0", "last"], "expected a whole number, 1 or more", &["2"]),
    (&["classify", "x"], "--http", &["99", "ok"], "expected a whole number from 100 to 599", &["503"]),
    (&["explain", "x"], "--max-retries", &["101"], "expected a whole number from 0 to 100", &["5"]),
    (&["explain", "x"], "--retry-after", &["soon"], DURATION, &["1d"]),
    (
        &["explain", "x"],
        "--retry-policy",
        &["often"],
        "allowed: never, linear, exponential, immediate, custom",
        &["never"],
    ),
    (&["serve"], "--listen", &["here"], "expected an IP address and a port, as in 127.0.0.1:2319 or [::1]:2319", &[]),
    (&["serve"], "--auth", &["some"], "allowed: none, internal", &[]),
    (&["serve"], "--set", &["dlq.max_size"], "expected NAME=VALUE, as in dlq.max_size=500", &[]),
    (&["context", "set", "c"], "--unset", &["key"], "[possible values: server, key-file, ca-file, namespace]", &[]),
];

#[test]
fn a_wrong_value_is_one_sentence_with_the_right_form_and_a_right_one_is_accepted() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["user", "create", "ann"]);
    for (command, option, wrong, form, right) in CASES {
        for value in *wrong {
            let ran = server.run(&[*command, &[*option, *value]].concat());
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{command:?} {option} {value}: {}", ran.stderr);
            let message = ran.stderr.split("\n\n").next().unwrap().replace("\n  ", " ");
            let is_stated = message.starts_with(&format!("error: invalid value '{value}' for '{option}"));
            assert!(is_stated && message.contains(form), "{command:?} {option} {value}: {message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
        for value in *right {
            server.run_ok(&["produce", "orders", "x"]);
            server.run_ok(&[*command, &[*option, *value]].concat());
        }
    }
}
