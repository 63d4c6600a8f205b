use crate::test_server::folder;
use crate::{file, redrive, redrive_with_input};

#[test]
fn a_message_is_printed_with_its_category_and_rule() {
    let ran = redrive(&["classify", "Read timed out"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let words: Vec<_> = ran.stdout.split_whitespace().collect();
    assert_eq!(words, ["network", "phrase:timed", "out", "Read", "timed", "out"]);
}

#[test]
fn each_line_of_stdin_is_a_message() {
    let ran = redrive_with_input(&["classify", "--output", "json"], "timed out\nboom\n");
    assert_eq!(ran.code, 0);
    let answers: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("one object per line")).collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0]["category"], "network");
    assert_eq!(answers[0]["then"], "retried after 1m0s");
    assert_eq!(answers[1]["rule"], "default");
}

#[test]
fn evidence_and_causes_are_classified() {
    let ran = redrive(&["classify", "--explain", "--grpc", "14", "do not retry"]);
    assert!(ran.stdout.starts_with("transient\n  rule      grpc:14\n"), "{}", ran.stdout);
    let ran = redrive(&["classify", "--explain", "x", "--cause", "y", "--cause", "quota exceeded"]);
    assert!(ran.stdout.contains("\"quota\" in cause 2"), "{}", ran.stdout);
}

#[test]
fn rules_of_a_policy_file_come_first_and_failing_ones_are_reported() {
    let folder = folder("classify");
    let policy = file(
        &folder,
        "rules.toml",
        r#"
        [[rules]]
        name = "needs-a-key"
        when = "metadata.tenant == 'acme'"
        [[rules]]
        name = "ours"
        regex = "^billing"
        category = "resource"
        "#,
    );
    let ran = redrive(&["classify", "--policy", policy.to_str().unwrap(), "billing is down"]);
    assert!(ran.stdout.starts_with("resource    user:ours"), "{}", ran.stdout);
    assert!(ran.stderr.contains("'user:needs-a-key' could not be evaluated: a key is missing"), "{}", ran.stderr);
}

#[test]
fn invalid_usage_is_rejected_with_the_allowed_values() {
    let ran = redrive(&["classify", "--http", "503", "--grpc", "14", "x"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    for wrong in [["--http", "999"], ["--attempt", "0"], ["--metadata", "x"], ["--metadata-json", "x"]] {
        assert_eq!(redrive(&["classify", wrong[0], wrong[1], "x"]).code, 2, "{wrong:?}");
    }
    redrive(&["classify", "--io", "Nothing", "x"]).fails(2, "ConnectionRefused");
}

#[test]
fn a_line_that_is_not_utf_8_does_not_end_the_command() {
    let ran = crate::redrive_with_bytes(&["classify"], b"timed out\n\xFF\xFE boom\nquota\n");
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 3), "{}", ran.stderr);
}

#[test]
fn control_characters_of_a_message_are_escaped() {
    let ran = redrive(&["classify", "\u{1b}[31mred\nline"]);
    assert!(ran.stdout.ends_with("\\u{1b}[31mred\\nline\n"), "{:?}", ran.stdout);
}

#[test]
fn explain_prints_what_the_policy_does() {
    let folder = folder("classify");
    let policy = file(
        &folder,
        "sets.toml",
        "[[rules]]\nname = 'r'\nwhen = \"'t' in metadata && metadata.t == 'a' && 'p' in parts\"\ndelay = '90s'",
    );
    let path = policy.to_str().unwrap();
    let explain = |arguments: &[&str]| {
        let ran = redrive(&[&["classify", "--explain", "--policy", path, "x"], arguments].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        ran.stdout
    };
    let printed = explain(&["--metadata", "t=a", "--part", "p"]);
    assert!(printed.contains("rule      user:r") && printed.contains("then      retried after 1m30s"), "{printed}");
    let printed = explain(&["--metadata-json", "{\"t\": \"a\"}", "--part", "p"]);
    assert!(printed.contains("rule      user:r"), "{printed}");
    let printed = explain(&[]);
    assert!(printed.contains("then      dead-letter: failed as permanent (rule default)"), "{printed}");
    let ran = redrive(&["classify", "--policy", "poison", "--explain", "--http", "503"]);
    assert!(ran.stdout.contains("attempt 1 of 1 failed"), "--policy also takes the name of a template: {}", ran.stdout);
}
