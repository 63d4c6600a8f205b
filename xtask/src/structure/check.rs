//! Applies the rules and prints their findings.

use anyhow::{Result, bail};

use super::{circles, layers, names, source, undeclared};
use crate::cargo::{packages, root};

/// Checks the structure of the workspace.
pub(crate) fn check() -> Result<()> {
    let texts = source::texts(&root())?;
    let sources = source::parse(&texts)?;
    let names = names::findings(&names::definitions(&sources));
    // The findings of each rule, under a title that states the rule.
    report(&[
        ("dependencies that the table of layers does not allow", layers::findings(&packages()?)),
        ("public type names that occur more than once", names.public),
        ("type names that occur more than once in model, store, queue, embedded and run", names.shared),
        ("files that import each other", circles::findings(&sources)),
        ("files that no module declares", undeclared::findings(&texts)),
    ])
}

fn report(sections: &[(&str, Vec<String>)]) -> Result<()> {
    for (title, findings) in sections.iter().filter(|(_, findings)| !findings.is_empty()) {
        println!("{title} ({}):", findings.len());
        findings.iter().for_each(|finding| println!("  {finding}"));
    }
    match sections.iter().map(|(_, findings)| findings.len()).sum::<usize>() {
        0 => Ok(()),
        count => bail!("findings of the structure check: {count}; run only this check with: cargo xtask structure"),
    }
}
