use super::with_dead;

/// Wrong arguments, and numbers outside of their range, with the right form that the error names. The values of all
/// options are in `value_kinds.rs`.
const WRONG: &[(&str, &[&str], &str)] = &[
    ("list", &["--limit", "0"], "expected a whole number, 1 or more"),
    ("groups", &["--limit", "0"], "expected a whole number, 1 or more"),
    ("edit", &["id", "--max-retries", "101"], "expected a whole number from 0 to 100"),
    ("edit", &["id", "--revision", "0"], "expected a whole number, 1 or more"),
    ("process", &["dance"], "[possible values: start, stop, pause, resume]"),
    ("process", &["start", "--interval", "9"], "expected a whole number from 10 to 3600"),
    ("configure", &["max_size"], "expected NAME=VALUE, as in max_size=500"),
    ("capture", &["x", "--http", "99"], "expected a whole number from 100 to 599"),
    ("capture", &["x", "--max-retries", "101"], "expected a whole number from 0 to 100"),
];

#[test]
fn a_wrong_value_is_one_sentence_with_the_right_form() {
    let server = with_dead();
    for (command, arguments, form) in WRONG {
        let ran = server.run(&[&["letters", command, "dead"][..], arguments].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{command} {arguments:?}: {}", ran.stderr);
        let message = ran.stderr.split("\n\n").next().unwrap().replace("\n  ", " ");
        assert!(
            message.starts_with("error: invalid value '") && message.contains(form),
            "{command} {arguments:?}: {message}"
        );
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    server
        .run(&["letters", "bulk", "delete", "dead", "--all"])
        .fails(2, "[possible values: retry, resume, archive, restore, purge]");
    for delay in ["1x", "d"] {
        let template = ["letters", "templates", "set", "dead", "t", "--regex", "x", "--delay", delay];
        let ran = server.run(&template);
        assert!(ran.code == 2 && ran.stderr.contains("3d or 1w"), "{delay}: {}", ran.stderr);
    }
}

#[test]
fn durations_have_days_and_weeks_everywhere() {
    let server = with_dead();
    server.run_ok(&["queue", "create", "orders", "--expire-timeout", "2w", "--lease-timeout", "1d"]);
    let queue = server.objects(&["queue", "info", "orders"]).remove(0);
    assert_eq!(
        (queue["expire_timeout"].as_str(), queue["lease_timeout"].as_str()),
        (Some("336h0m0s"), Some("24h0m0s"))
    );
    server.run_ok(&["produce", "orders", "x", "--delay", "3d"]);
    server.run_ok(&["letters", "templates", "set", "dead", "t", "--regex", "x", "--delay", "1d"]);
    let explained = server.objects(&["explain", "HTTP 429", "--http", "429", "--retry-after", "0.5d"]).remove(0);
    assert_eq!(explained["schedule"][0]["delay_seconds"], 43_200.0);
    server
        .run(&["queue", "create", "other", "--lease-timeout", "soon"])
        .fails(2, "expected a duration, as in 300ms, 90s, 1h30m, 3d or 1w");
}
