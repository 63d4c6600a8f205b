//! The tables of the documentation are complete, and its files are valid.

use std::path::PathBuf;

use crate::test_server::command;
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
            let name = if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
            let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |{shown} |")));
            variable = "";
            let row = row.unwrap_or_else(|| panic!("{name} is not in docs/server.md"));
            assert!(row.contains(default.trim().trim_matches('"')), "{name} is {default}: {row}");
            found += 1;
        }
    }
    assert!(found > 15, "{template}");
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
