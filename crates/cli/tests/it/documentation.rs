//! The tables of the documentation are complete, and its files are valid.

use std::collections::BTreeMap;
use std::path::PathBuf;

use redrive_model::{LetterSettingKey, LetterSettings};

use crate::test_server::{command, folder};
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

/// The comment of each `dlq` setting in the template of the configuration, as one line.
fn comments_of_dlq() -> BTreeMap<String, String> {
    let template = redrive(&["config", "template"]).stdout;
    let section = template.split("[dlq]\n").nth(1).expect("the section [dlq]").split("\n[").next().unwrap();
    let mut comments = BTreeMap::new();
    let mut comment = String::new();
    // A line with nothing but the sign separates the paragraphs of a comment.
    for line in section.lines().filter(|line| !matches!(*line, "" | "#")) {
        match line.strip_prefix("# ") {
            Some(text) => comment = format!("{comment}{text} "),
            None => {
                let name = line.trim_start_matches('#').split(" =").next().unwrap();
                comments.entry(name.to_owned()).or_insert(std::mem::take(&mut comment));
            }
        }
    }
    comments
}

/// The other cells of the rows of a table that begin with a setting, by its name.
fn rows(page: &str, header: &str, prefix: &str) -> BTreeMap<String, Vec<String>> {
    let text = read(page);
    let table = text.split(header).nth(1).expect(header).split("\n\n").next().unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix(&format!("| `{prefix}")));
    let cells = rows.map(|row| row.trim_end_matches(" |").split(" | ").map(|cell| cell.replace('`', "")));
    cells.map(|mut cells| (cells.next().unwrap(), cells.collect())).collect()
}

/// Catches a range, a word or a setting that was changed in the table of the letter settings only.
#[test]
fn every_letter_setting_is_documented_with_its_values() {
    let comments = comments_of_dlq();
    let of_server = rows("docs/server.md", "each one does.\n\n", "dlq.");
    let of_queues = rows("docs/letters.md", "| setting | values | description |\n", "");
    assert_eq!(of_queues.len(), LetterSettingKey::ALL.len(), "{of_queues:?}");
    for key in LetterSettingKey::ALL {
        let name = key.name();
        let allowed = key.allowed(&LetterSettings::default());
        let (values, never) = allowed.split_once(", or ").unwrap_or((&allowed, ""));
        let row = of_queues.get(name).unwrap_or_else(|| panic!("{name} is not in docs/letters.md"));
        assert!(row[0].starts_with(&allowed), "{name} allows {allowed}: {row:?}");
        assert!(row[1].to_lowercase().starts_with(key.description()), "{name}, {}: {row:?}", key.description());
        if key == LetterSettingKey::LettersExpire {
            assert!(!comments.contains_key(name), "{name} is a setting of queues only");
            continue;
        }
        let comment = comments.get(name).unwrap_or_else(|| panic!("dlq.{name} is not a setting"));
        let row = of_server.get(name).unwrap_or_else(|| panic!("dlq.{name} is not in docs/server.md")).join(" | ");
        assert!(row.contains(never), "dlq.{name} can be {never}: {row}");
        match key.range() {
            Some(_) => assert!(comment.contains(values) && row.contains(values), "{name}, {values}: {comment}{row}"),
            None if key == LetterSettingKey::CustomBackoff => {
                assert!(comment.contains("\"list 1s 5s 1m\""), "{comment}");
            }
            None => {
                for word in values.split(", ") {
                    assert!(
                        comment.contains(&format!("\"{word}\"")) && row.contains(word),
                        "{name}, {word}: {comment}{row}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_policy_in_the_documentation_is_valid() {
    let page = read("docs/policies.md");
    let block = blocks(&page, "toml")[0];
    let folder = folder("documentation");
    let path = file(&folder, "documented.toml", block);
    let ran = redrive(&["policy", "show", path.to_str().unwrap()]).succeeded();
    assert!(ran.stdout.contains("resource    1m0s, 5m0s, 30m0s"), "{}", ran.stdout);
    assert!(ran.stdout.contains("attempts    5 (rule billing: 21)"), "{}", ran.stdout);
}

#[test]
fn every_example_shows_the_whole_command_that_runs_it() {
    let manifest: toml::Table = read("crates/redrive/Cargo.toml").parse().unwrap();
    let pages = read("README.md") + &read("docs/loops.md");
    let examples = manifest["example"].as_array().unwrap();
    for example in examples {
        let name = example["name"].as_str().unwrap();
        let features = example.get("required-features").and_then(|features| features.as_array()).into_iter().flatten();
        let features: Vec<&str> =
            features.filter_map(|name| name.as_str()).filter(|name| *name != "embedded").collect();
        let mut command = format!("`cargo run -p redrive --example {name}");
        if !features.is_empty() {
            command += &format!(" --features {}", features.join(","));
        }
        command.push('`');
        assert!(read(&format!("examples/{name}.rs")).contains(&command), "examples/{name}.rs: {command}");
        assert!(pages.contains(&command), "README.md or docs/loops.md: {command}");
    }
    assert!(examples.len() > 12, "{examples:?}");
}

#[test]
fn a_page_that_needs_rust_says_so_first_and_names_the_way_without() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    for entry in std::fs::read_dir(root.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let page = std::fs::read_to_string(&path).unwrap();
        let first = page.split("\n\n").nth(1).unwrap();
        let says_so =
            first.starts_with("This page is for programs in Rust. Without Rust, ") && first.contains("(routes.md");
        assert_eq!(page.contains("```rust"), says_so, "{}: {first}", path.display());
    }
}
