//! Every command has an example in its help, which is valid usage.

use crate::outcome;
use crate::test_server::{TestServer, command};

const COMMANDS: [(&str, &[&str]); 7] = [
    ("namespace", &["create", "list", "show", "update", "delete"]),
    ("user", &["create", "list", "show", "delete"]),
    ("key", &["create", "list", "show", "delete"]),
    ("role", &["create", "list", "show", "update", "delete"]),
    ("binding", &["create", "list", "show", "delete"]),
    ("context", &["list", "show", "set", "use", "delete"]),
    ("audit", &["list", "show", "export", "verify"]),
];

/// The examples in the help of a command, without redirections.
fn examples(arguments: &[&str]) -> Vec<Vec<String>> {
    let help = outcome(command(&[arguments, &["--help"]].concat()).spawn().unwrap());
    assert_eq!(help.code, 0);
    assert!(help.stdout.contains("Example"), "{arguments:?}");
    let examples = help.stdout.split("Example").nth(1).unwrap();
    let lines = examples.lines().filter_map(|line| line.trim().strip_prefix("redrive "));
    lines.map(|line| words(line.split(" > ").next().unwrap())).collect()
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The objects that the examples name need not exist: what counts is that the arguments are valid.
#[test]
fn every_example_is_valid_usage() {
    let server = TestServer::new();
    let folder = crate::test_server::folder("help-examples");
    let config = folder.join("config");
    let mut checked = 0;
    let nouns = COMMANDS.iter().flat_map(|(noun, verbs)| verbs.iter().map(|verb| vec![*noun, *verb]));
    for arguments in nouns.chain([vec!["whoami"]]) {
        let examples = examples(&arguments);
        assert!(!examples.is_empty(), "{arguments:?}");
        for example in examples {
            // The key file of `context set` is in the home of the user.
            if example.iter().any(|word| word.starts_with('~')) {
                continue;
            }
            let words: Vec<&str> = example.iter().map(String::as_str).collect();
            let mut command = server.command(&words);
            let ran = outcome(command.current_dir(&folder).env("XDG_CONFIG_HOME", &config).spawn().unwrap());
            assert!([0, 1, 3, 4].contains(&ran.code), "{words:?}: {}", ran.stderr);
            checked += 1;
        }
    }
    assert!(checked > 30, "{checked}");
}

#[test]
fn an_unknown_option_and_a_missing_subcommand_are_invalid_usage() {
    for (noun, verbs) in COMMANDS {
        assert_eq!(outcome(command(&[noun]).spawn().unwrap()).code, 2, "{noun}");
        for verb in verbs {
            let ran = outcome(command(&[noun, verb, "--frobnicate"]).spawn().unwrap());
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{noun} {verb}");
        }
    }
}
