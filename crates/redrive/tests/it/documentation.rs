//! What the documentation shows is what the program does.

use std::path::PathBuf;

use crate::{file, redrive};

fn read(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(name)).expect(name)
}

/// The fenced blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let opening = format!("```{language}\n");
    text.split(&opening).skip(1).map(|rest| rest.split("```").next().expect("the fence is closed")).collect()
}

/// A command and the lines that are shown below it.
fn examples(block: &str) -> Vec<(Vec<String>, String)> {
    let mut examples: Vec<(Vec<String>, String)> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push((words(command), String::new()));
        } else if let Some((_, shown)) = examples.last_mut() {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    examples
}

/// The words of a command line, with single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn the_examples_of_the_readme_print_what_it_shows() {
    let mut compared = 0;
    let readme = read("README.md");
    for block in blocks(&readme, "console") {
        for (command, shown) in examples(block) {
            if command[0] != "redrive" || command.contains(&"<".to_owned()) {
                continue;
            }
            let arguments: Vec<_> = command[1..].iter().map(String::as_str).collect();
            let ran = redrive(&arguments);
            assert_eq!(ran.code, 0, "{command:?}: {}", ran.stderr);
            if !shown.trim().is_empty() {
                assert_eq!(ran.stdout.trim(), shown.trim(), "{command:?}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 3, "the README has lost its examples");
}

#[test]
fn the_policy_in_the_documentation_is_one() {
    let page = read("docs/policies.md");
    let block = blocks(&page, "toml")[0];
    let path = file("documented.toml", block);
    let ran = redrive(&["policy", "show", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("resource    1m0s, 5m0s, 30m0s"), "{}", ran.stdout);
    assert!(ran.stdout.contains("attempts    5 (rule billing: 21)"), "{}", ran.stdout);
}
