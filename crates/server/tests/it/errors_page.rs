//! Every code, reason and message of the code is on the page about errors, `docs/errors.md`.
//!
//! Rejections have a table. The other texts are read from the source files: they exist only as attributes and literals.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use redrive_core::{CaptureReason, Cause, DeathReason, DropReason};
use redrive_model::Rejection;

/// The files whose `#[error("…")]` texts are on the page.
const ERRORS: [&str; 5] = [
    "crates/store/src/error.rs",
    "crates/embedded/src/embedded_store.rs",
    "crates/journal/src/error.rs",
    "crates/server/src/server.rs",
    "crates/kafka/src/error.rs",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn page() -> String {
    read("docs/errors.md")
}

/// Appends the text of all Rust files of a folder and the folders in it.
fn read_sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

fn server_source() -> String {
    let mut text = String::new();
    read_sources(&root().join("crates/server/src"), &mut text);
    text
}

/// The string literal at the beginning of a source text, with the lines of a continued literal joined.
fn literal(source: &str) -> Option<String> {
    let mut chars = source.trim_start().strip_prefix('"')?.chars();
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => match chars.next()? {
                '\n' => chars = chars.as_str().trim_start().chars(),
                escaped => text.push(escaped),
            },
            other => text.push(other),
        }
    }
}

/// The stable part of a message, with `…` for placeholders; `None` if it begins with one.
fn stable(message: &str) -> Option<String> {
    let mut parts = message.split(';').next()?.split('{');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        text.push('…');
        text.push_str(part.split_once('}')?.1);
    }
    (!text.is_empty() && !text.starts_with('…')).then_some(text)
}

/// The messages of `#[error("…")]` attributes.
fn error_messages(source: &str) -> BTreeSet<String> {
    source.split("#[error(").skip(1).filter_map(|rest| stable(&literal(rest)?)).collect()
}

/// The messages of error replies that are written as literals where the reply is made.
fn reply_messages(source: &str) -> BTreeSet<String> {
    let bad = source.split("ApiError::bad(").skip(1);
    let others = source.split("ApiError::new(Code::").skip(1).filter_map(|rest| Some(rest.split_once(',')?.1));
    let message = |rest: &str| {
        let rest = rest.trim_start();
        stable(&literal(rest.strip_prefix("format!(").unwrap_or(rest))?)
    };
    bad.chain(others).filter_map(message).collect()
}

/// The values in the first column of the tables between two comments with this name.
fn listed(page: &str, table: &str) -> BTreeSet<String> {
    let rows = page.split(&format!("<!-- {table} -->")).nth(1);
    let rows = rows.unwrap_or_else(|| panic!("docs/errors.md has no table between '<!-- {table} -->' comments"));
    let cells = rows.lines().filter_map(|row| row.strip_prefix("| `")?.split('|').next());
    cells.flat_map(|cell| cell.split('`').step_by(2)).map(str::to_owned).collect()
}

/// Fails unless the table has exactly these values.
fn assert_lists(table: &str, values: &BTreeSet<String>) {
    assert!(!values.is_empty(), "no {table} were found in the source");
    let listed = listed(&page(), table);
    let missing: Vec<&String> = values.difference(&listed).collect();
    assert!(missing.is_empty(), "docs/errors.md lacks these {table}: {missing:?}");
    let unknown: Vec<&String> = listed.difference(values).collect();
    assert!(unknown.is_empty(), "docs/errors.md has {table} that the code does not have: {unknown:?}");
}

/// Fails unless the page has all of these messages.
fn assert_has(origin: &str, messages: &BTreeSet<String>) {
    assert!(!messages.is_empty(), "no messages were found in {origin}");
    let page = page();
    let missing: Vec<&String> = messages.iter().filter(|message| !page.contains(&format!("`{message}`"))).collect();
    assert!(missing.is_empty(), "docs/errors.md lacks these messages of {origin}: {missing:#?}");
}

fn names<T: ToString>(all: &[T]) -> BTreeSet<String> {
    all.iter().map(ToString::to_string).collect()
}

#[test]
fn every_reply_code_is_on_the_page() {
    let source = read("crates/server/src/api_error.rs");
    let numbers = source.split("fn number(").nth(1).and_then(|rest| rest.split("fn text(").next()).unwrap();
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>();
    assert_lists("reply codes", &numbers.split("=> ").skip(1).map(digits).collect());
}

/// The string literals of the first function with this name.
fn literals_of(source: &str, name: &str) -> Vec<String> {
    let body = source.split(&format!("fn {name}(")).nth(1).and_then(|rest| rest.split("\n    }\n").next()).unwrap();
    body.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_reason_is_on_the_page() {
    let source = server_source();
    let quoted = |rest: &str| rest.split('"').next().map(str::to_owned);
    let named = ["because(\"", "grouped(\""].into_iter().flat_map(|call| source.split(call).skip(1));
    let mut reasons: BTreeSet<String> = named.filter_map(quoted).collect();
    // Calls about letters get the coarse reasons of rejections from a table of pairs.
    let pairs = read("crates/server/src/letters/fields.rs");
    let second = |rest: &str| Some(rest.split(')').next()?.split('"').nth(1)?.to_owned());
    reasons.extend(pairs.split("(Code::").skip(1).filter_map(second));
    reasons.extend(
        literals_of(&read("crates/server/src/api_error.rs"), "reason").into_iter().filter(|reason| reason != "ok"),
    );
    reasons.extend(literals_of(&read("crates/store/src/error.rs"), "reason"));
    reasons.extend(Rejection::TABLE.iter().map(|(reason, _)| (*reason).to_owned()));
    assert_lists("reasons", &reasons);
}

#[test]
fn every_error_message_is_on_the_page() {
    for path in ERRORS {
        assert_has(path, &error_messages(&read(path)));
    }
    assert_has("the table of rejections", &Rejection::TABLE.iter().filter_map(|(_, text)| stable(text)).collect());
    assert_has("crates/server/src", &reply_messages(&server_source()));
}

#[test]
fn every_outcome_and_cause_is_on_the_page() {
    assert_lists("capture reasons", &names(CaptureReason::ALL));
    assert_lists("causes", &names(Cause::ALL));
    assert_lists("death reasons", &names(DeathReason::ALL));
    assert_lists("drop reasons", &names(DropReason::ALL));
}

#[test]
fn every_exit_code_is_on_the_page() {
    let source = read("crates/cli/src/exit.rs");
    let help = source.split("\"Exit codes:\n").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let codes = help.lines().filter_map(|line| line.split_whitespace().next());
    assert_lists("exit codes", &codes.map(str::to_owned).collect());
}

#[test]
fn messages_are_extracted_as_clients_compare_them() {
    let source = r#"
        #[error("queue '{0}' is {status:?}; wait")]
        #[error(transparent)]
        #[error("{what} is invalid; give another")]
        #[error(
            "one \"long\" \
             message of {}", name
        )]
    "#;
    let messages = ["one \"long\" message of …", "queue '…' is …"];
    assert!(error_messages(source).iter().eq(messages));
    let replies = r#"ApiError::bad(format!("no {x}; y")) ApiError::new(Code::A, "b") ApiError::new(code, text)"#;
    assert!(reply_messages(replies).iter().eq(["b", "no …"]));
}
