//! Every command that the documentation shows works, and prints what the page shows.

mod page;
mod shell;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use page::Page;
use shell::PageRun;

/// Blocks that are not run, on all pages together. A new one needs a reason as good as those of the others.
const NOT_RUN_MAX: usize = 8;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> Page {
    Page::parse(&std::fs::read_to_string(root().join(name)).expect(name))
}

/// The names of the pages: the README, and those of the folder `docs`.
fn names() -> BTreeSet<String> {
    let files = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let names = files.map(|name| format!("docs/{}", name.to_str().unwrap()));
    names.filter(|name| name.ends_with(".md")).chain(["README.md".to_owned()]).collect()
}

macro_rules! pages {
    ($($test:ident: $name:literal),* $(,)?) => {
        const TESTED: &[&str] = &[$($name),*];

        $(
            #[test]
            fn $test() {
                let page = read($name);
                assert!(PageRun::new($name).check(&page) > 0, "the page has no commands");
            }
        )*
    };
}

pages! {
    readme: "README.md",
    audit: "docs/audit.md",
    cli: "docs/cli.md",
    curl: "docs/curl.md",
    deploy: "docs/deploy.md",
    letters: "docs/letters.md",
    monitor: "docs/monitor.md",
    routes: "docs/routes.md",
    server: "docs/server.md",
    tour: "docs/tour.md",
    troubleshoot: "docs/troubleshoot.md",
}

/// Otherwise the commands of a new page would not be run.
#[test]
fn every_page_with_commands_is_tested() {
    let mut not_run = Vec::new();
    for name in names() {
        let page = read(&name);
        assert!(page.page_not_run.is_none() || page.steps.is_empty() || !TESTED.contains(&name.as_str()), "{name}");
        let has_commands = page.steps.iter().any(|step| matches!(step, page::Step::Run { .. }));
        let is_run = has_commands && page.page_not_run.is_none();
        assert_eq!(is_run, TESTED.contains(&name.as_str()), "{name}: run its commands in this file, or say why not");
        not_run.extend(page.not_run.into_iter().chain(page.page_not_run).map(|reason| format!("{name}: {reason}")));
    }
    assert!(not_run.len() <= NOT_RUN_MAX, "{not_run:#?}");
}

/// Doctests compile the pages that the library of a crate includes, and no others.
#[test]
fn every_rust_block_is_compiled() {
    let crates = std::fs::read_dir(root().join("crates")).unwrap();
    let libraries = crates.map(|entry| entry.unwrap().path().join("src/lib.rs")).filter(|path| path.exists());
    let libraries: String = libraries.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let mut count = 0;
    for name in names() {
        let text = std::fs::read_to_string(root().join(&name)).unwrap();
        let blocks: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("```rust")).collect();
        let is_compiled = libraries.contains(&format!("#[doc = include_str!(\"../../../{name}\")]"));
        assert!(blocks.is_empty() || is_compiled, "{name}: include the page in a doctest, as docs/embed.md");
        let is_skipped = |block: &&str| !matches!(*block, "```rust" | "```rust,no_run");
        assert!(!blocks.iter().any(is_skipped), "{name}: a block is not compiled: {blocks:?}");
        count += blocks.len();
    }
    assert!(count > 20, "{count} blocks");
}
