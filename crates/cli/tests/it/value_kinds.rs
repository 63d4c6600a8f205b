//! A wrong value of any option is one sentence that names the option and the right form: for every command of the
//! program, and without a server.

use std::collections::BTreeSet;

use crate::help::{ValueOption, leaves, value_options};
use crate::outcome;
use crate::test_server::command;

/// The kind of the values of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    Duration,
    Time,
    TimeOrAge,
    Number,
    /// One of a closed set of names.
    Name,
    Pair,
    JsonObject,
    Url,
    Address,
    FileToRead,
    NewFile,
    Directory,
    Policy,
    Condition,
    Regex,
    Fingerprint,
    Sha256,
    ContextName,
    ErrorType,
    SqlState,
    Reason,
    /// Any text, or a name that only the server can judge.
    Text,
}

/// Options that `--help` does not show.
const HIDDEN: [(&[&str], &str); 2] = [(&["serve"], "--control"), (&["serve"], "--freeze")];

fn kind_of(command: &[String], option: &str) -> Option<ValueKind> {
    use ValueKind::*;
    let is_export = command.last().is_some_and(|verb| verb == "export");
    let is_consume = command.first().is_some_and(|noun| noun == "consume");
    Some(match option {
        "--group" | "--http" | "--grpc" if is_consume => Text,
        "--delay" | "--expire-timeout" | "--expires-in" | "--give-up-after" | "--lease-timeout" | "--retry-after"
        | "--timeout" | "--wait" => Duration,
        "--at" | "--expires-at" | "--failed-at" | "--freeze" => Time,
        "--since" | "--until" => TimeOrAge,
        "--attempt" | "--attempts" | "--batch" | "--count" | "--http" | "--interval" | "--limit" | "--max-attempts"
        | "--max-items" | "--max-retries" | "--offset" | "--partition" | "--partitions" | "--position" | "--rate"
        | "--replays" | "--revision" | "--skip-lines" | "--watch" => Number,
        "--as" | "--auth" | "--category" | "--field" | "--grpc" | "--io" | "--log" | "--output" | "--priority"
        | "--retry-policy" | "--sort" | "--state" | "--status" | "--unset" | "--on-outage" => Name,
        "--header" | "--metadata" | "--property" | "--property-file" | "--set" | "--setting" | "--target-setting" => {
            Pair
        }
        "--metadata-json" => JsonObject,
        "--server" => Url,
        "--control" | "--listen" => Address,
        "--secret-file" => NewFile,
        "--file" if is_export => NewFile,
        "--ca-file" | "--config" | "--file" | "--key-file" | "--password-file" | "--payload-file"
        | "--tls-certificate" | "--tls-key" => FileToRead,
        "--data-dir" => Directory,
        "--policy" => Policy,
        "--filter" | "--when" => Condition,
        "--regex" => Regex,
        "--group" => Fingerprint,
        "--head" => Sha256,
        "--context" => ContextName,
        "--error-type" | "--type" => ErrorType,
        "--sqlstate" => SqlState,
        "--reason" => Reason,
        "--action"
        | "--actor"
        | "--add"
        | "--bootstrap-servers"
        | "--cause"
        | "--client-id"
        | "--code"
        | "--consumer"
        | "--dead-queue"
        | "--depends-on"
        | "--description"
        | "--destination"
        | "--email"
        | "--encoding"
        | "--error"
        | "--external-id"
        | "--from"
        | "--key"
        | "--key-tag"
        | "--kind"
        | "--letters"
        | "--message-id"
        | "--method"
        | "--name"
        | "--namespace"
        | "--note"
        | "--origin"
        | "--part"
        | "--payload"
        | "--permission"
        | "--query"
        | "--queue"
        | "--redis"
        | "--reference"
        | "--remove"
        | "--reply"
        | "--reply-to"
        | "--request-id"
        | "--reset"
        | "--role"
        | "--route"
        | "--source-id"
        | "--tag"
        | "--target"
        | "--topic"
        | "--trace-id"
        | "--transport"
        | "--user"
        | "--worker"
        | "--worker-argument" => Text,
        _ => return None,
    })
}

impl ValueKind {
    /// A wrong value, and the right form that its error names.
    const fn wrong(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Duration => ("soon", "expected a duration, as in 300ms, 90s, 1h30m, 3d or 1w"),
            Self::Time => ("noon", "expected a time, as in 2026-11-15T12:00:00Z"),
            Self::TimeOrAge => {
                ("yesterday", "expected a time, as in 2026-11-15T12:00:00Z, or how long ago it is, as in 2h or 3d")
            }
            Self::Number => ("many", "expected a whole number"),
            // The names follow, from the argument parser as "possible values".
            Self::Name => ("bogus", "[possible values: | allowed: "),
            Self::Pair => ("name", "expected NAME=VALUE"),
            Self::JsonObject => ("[1]", "expected a JSON object, as in '{\"amount\": 3}'"),
            Self::Url => ("ftp://localhost", "expected a URL, as in http://127.0.0.1:2319"),
            Self::Address => ("here", "expected an IP address and a port, as in 127.0.0.1:2319 or [::1]:2319"),
            Self::FileToRead => ("missing/file", "expected a file that exists | expected a readable file"),
            Self::NewFile => ("missing/file", "expected a new file in a directory that exists"),
            Self::Directory => {
                (concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "expected a directory, and this is a file")
            }
            Self::Policy => ("missing/file", "expected a policy file that exists, or the name of a template"),
            Self::Condition => ("status ==", "expected a CEL expression that compiles"),
            Self::Regex => ("(", "expected a regular expression that compiles"),
            Self::Fingerprint => ("xyz", "4 to 32 hexadecimal digits"),
            Self::Sha256 => ("abc", "expected a SHA-256: 64 hexadecimal digits"),
            Self::ContextName => ("a/b", "a name has 1 to 64 letters, digits, '.', '_' or '-'"),
            Self::ErrorType => ("two words", "allowed: "),
            Self::SqlState => ("40", "allowed: five digits or letters, as in 40P01"),
            Self::Reason => ("two\nlines", "expected one line of 1 to 512 bytes"),
            Self::Text => return None,
        })
    }
}

/// The options with their kind, each with a command that has it. A global option is tried with one command.
fn options() -> Vec<(Vec<String>, String, ValueKind)> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let hidden = HIDDEN.map(|(command, option)| (owned(command), option.to_owned()));
    let mut all: Vec<(Vec<String>, String)> = hidden.into();
    let mut globals = BTreeSet::new();
    for command in leaves(&[]) {
        for ValueOption { name, is_global } in value_options(&command) {
            if !is_global {
                all.push((command.clone(), name));
            } else if globals.insert(name.clone()) {
                all.push((owned(&["whoami"]), name));
            }
        }
    }
    assert!(globals.len() >= 6 && all.len() > 200, "{globals:?}, {} options", all.len());
    all.into_iter()
        .map(|(command, option)| {
            let kind = kind_of(&command, &option);
            let kind = kind.unwrap_or_else(|| panic!("{option} of {command:?} has no kind of value in this test"));
            (command, option, kind)
        })
        .collect()
}

#[test]
fn a_wrong_value_of_any_option_is_one_sentence_with_the_right_form() {
    for (words, option, kind) in options() {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = |value: &str| {
            let mut command = command(&[&words[..], &[&option, value]].concat());
            outcome(command.env("REDRIVE_SERVER", "http://127.0.0.1:1").spawn().unwrap())
        };
        let Some((wrong, form)) = kind.wrong() else {
            let ran = run("any text");
            assert!(!ran.stderr.starts_with("error: invalid value"), "{words:?} {option}: {}", ran.stderr);
            continue;
        };
        let ran = run(wrong);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{words:?} {option} {wrong}: {}", ran.stderr);
        let message = ran.stderr.replacen(wrong, "…", 1);
        let message = message.trim_end().split("\n\n").next().unwrap().replace("\n  ", " ");
        let start = format!("error: invalid value '…' for '{option}");
        let has_form = form.split(" | ").any(|form| message.contains(form));
        assert!(message.starts_with(&start) && has_form, "{words:?} {option} {wrong}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn a_negative_number_is_a_wrong_value_and_not_an_unknown_option() {
    for (words, option, _) in options().into_iter().filter(|(_, _, kind)| *kind == ValueKind::Number) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = outcome(command(&[&words[..], &[&option, "-1"]].concat()).spawn().unwrap());
        let start = format!("error: invalid value '-1' for '{option}");
        assert!(ran.code == 2 && ran.stderr.starts_with(&start), "{words:?} {option}: {}", ran.stderr);
        assert!(ran.stderr.contains("expected a whole number"), "{words:?} {option}: {}", ran.stderr);
        assert!(!ran.stderr.contains("-- -1"), "{words:?} {option}: {}", ran.stderr);
    }
}

#[test]
fn an_unknown_option_of_any_command_is_invalid_usage() {
    for words in leaves(&[]) {
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--frobnicate"]).collect();
        let ran = outcome(command(&words).spawn().unwrap());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{words:?}: {}", ran.stderr);
    }
}
