//! The outputs that the documentation shows are those of the program.

use std::path::PathBuf;
use std::process::Command;

use redrive_core::Span;

use crate::test_server::{TestServer, command, folder};
use crate::{file, outcome, redrive};

fn read(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(name)).expect(name)
}

/// The fenced blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let opening = format!("```{language}\n");
    text.split(&opening).skip(1).map(|rest| rest.split("```").next().expect("the fence is closed")).collect()
}

/// The commands of a block, each with the output below it.
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

/// The text below a heading, up to the next heading.
fn section<'t>(text: &'t str, heading: &str) -> &'t str {
    let below = text.split(&format!("\n## {heading}\n")).nth(1).expect("the heading exists");
    below.split("\n## ").next().unwrap_or(below)
}

/// The text with placeholders for ids, times and ages, which differ from run to run.
fn stable(text: &str) -> String {
    let word = |word: &str| {
        let is_id = word.len() == 27 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_time = word.parse::<redrive_core::Time>().is_ok();
        let is_age = word != "0s" && word.parse::<Span>().is_ok_and(|span| !span.is_zero());
        if is_id || is_time || is_age { "*".to_owned() } else { word.to_owned() }
    };
    let line = |line: &str| line.split_whitespace().map(word).collect::<Vec<_>>().join(" ");
    text.trim().lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The commands of all console blocks, each with the output below it.
fn sessions(text: &str) -> Vec<(String, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    for line in blocks(text, "console").into_iter().flat_map(str::lines) {
        if let Some(command) = line.strip_prefix("$ ") {
            sessions.push((command.to_owned(), String::new()));
        } else if let Some((_, shown)) = sessions.last_mut() {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    sessions
}

#[test]
fn the_quick_start_of_the_readme_works_as_written() {
    let readme = read("README.md");
    let mut sessions = sessions(section(&readme, "Quick start")).into_iter();
    let mut next = || sessions.next().expect("the quick start has more commands");
    // The tested program is already built, and on the path by the variable below.
    let (serve, shown) = next();
    assert_eq!((serve.as_str(), shown.trim()), ("cargo run --release -- serve", "ready api=127.0.0.1:2319"));
    assert_eq!(next().0, "export PATH=\"$PWD/target/release:$PATH\"");

    let folder = folder("quick-start");
    let program = PathBuf::from(env!("CARGO_BIN_EXE_redrive"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut serve = command(&["serve"]);
    // A free port instead of the default one.
    serve.current_dir(&folder).env("REDRIVE_LISTEN", "127.0.0.1:0");
    let server = TestServer::start(serve);
    let mut compared = 0;
    for (line, shown) in sessions {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1; {line}")]).current_dir(&folder).env("PATH", &path);
        shell.env("REDRIVE_SERVER", format!("http://{}", server.address));
        let printed = shell.output().unwrap().stdout;
        assert_eq!(stable(&String::from_utf8(printed).unwrap()), stable(&shown), "{line}");
        compared += 1;
    }
    assert!(compared >= 10, "the quick start has fewer commands than expected");
    assert!(folder.join("redrive-data").is_dir(), "the data directory that the README names");
}

#[test]
fn every_command_and_exit_code_is_documented() {
    let page = read("docs/cli.md");
    let help = outcome(command(&["--help"]).spawn().unwrap()).stdout;
    let codes = help.split("Exit codes:").nth(1).expect("--help lists the exit codes");
    let codes: Vec<&str> = codes.trim().lines().collect();
    assert_eq!(codes.len(), 8);
    for line in codes {
        let (code, meaning) = line.trim().split_once("  ").expect("code and meaning");
        assert!(page.contains(&format!("| {code} | {} |", meaning.trim())), "{line}");
    }
    let commands = help.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(page.contains(&format!("`redrive {name}")), "redrive {name} is not in docs/cli.md");
    }
}

#[test]
fn every_setting_is_documented_with_its_default() {
    let page = read("docs/server.md");
    let template = redrive(&["config", "template"]).stdout;
    let mut section = "";
    let mut variable = "";
    let mut found = 0;
    for line in template.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if line.contains("environment variable `") {
            variable = line.split('`').nth(1).unwrap();
        } else if let Some((name, default)) = line.strip_prefix('#').and_then(|line| line.split_once(" =")) {
            if name.starts_with(' ') {
                continue;
            }
            let shown = if variable.is_empty() { String::new() } else { format!(" `{variable}`") };
            let row = page.lines().find(|line| line.starts_with(&format!("| `{section}.{name}` |{shown} |")));
            variable = "";
            let row = row.unwrap_or_else(|| panic!("{section}.{name} is not in docs/server.md"));
            assert!(row.contains(default.trim().trim_matches('"')), "{section}.{name} is {default}: {row}");
            found += 1;
        }
    }
    assert!(found > 15, "{template}");
}

#[test]
fn the_examples_of_the_readme_print_what_it_shows() {
    let mut compared = 0;
    let readme = read("README.md");
    for block in blocks(section(&readme, "What kind of fault, and when again"), "console") {
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
    assert!(compared >= 3, "the README has fewer examples than expected");
}

#[test]
fn the_policy_in_the_documentation_is_valid() {
    let page = read("docs/policies.md");
    let block = blocks(&page, "toml")[0];
    let path = file("documented.toml", block);
    let ran = redrive(&["policy", "show", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("resource    1m0s, 5m0s, 30m0s"), "{}", ran.stdout);
    assert!(ran.stdout.contains("attempts    5 (rule billing: 21)"), "{}", ran.stdout);
}
