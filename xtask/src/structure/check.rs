//! Applies the rules and prints their findings.

use anyhow::{Result, bail};

use super::{circles, layers, names, source};
use crate::cargo::{packages, root};

/// Findings of one rule, under a title that states the rule.
struct Section {
    title: &'static str,
    findings: Vec<String>,
}

/// Checks the structure of the workspace.
pub(crate) fn check() -> Result<()> {
    let sources = source::load(&root())?;
    let names = names::findings(&names::definitions(&sources));
    let sections = [
        Section {
            title: "dependencies that the table of layers does not allow",
            findings: layers::findings(&packages()?),
        },
        Section { title: "public type names that occur more than once", findings: names.public },
        Section {
            title: "type names that occur more than once in model, store, queue, embedded and run",
            findings: names.shared,
        },
        Section { title: "files that import each other", findings: circles::findings(&sources) },
    ];
    report(&sections)
}

fn report(sections: &[Section]) -> Result<()> {
    for section in sections.iter().filter(|section| !section.findings.is_empty()) {
        println!("{} ({}):", section.title, section.findings.len());
        for finding in &section.findings {
            println!("  {finding}");
        }
    }
    match sections.iter().map(|section| section.findings.len()).sum::<usize>() {
        0 => Ok(()),
        count => bail!("findings of the structure check: {count}; run only this check with: cargo xtask structure"),
    }
}
