//! The number of source lines by crate, without tests, conformance suites and generated code.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const EXCLUDED: [&str; 3] = ["conformance", "generated", "tests"];

/// Prints the source lines of each crate, and their sum.
pub(crate) fn print(root: &Path) -> Result<()> {
    let mut crates = Vec::new();
    for entry in fs::read_dir(root.join("crates")).context("cannot list crates/")? {
        let entry = entry?;
        crates.push((entry.file_name().to_string_lossy().into_owned(), lines(&entry.path().join("src"))?));
    }
    crates.sort();
    eprintln!("\nsource lines, without tests, conformance suites and generated code:");
    for (name, lines) in &crates {
        eprintln!("{lines:>7}  {name}");
    }
    eprintln!("{:>7}  in all", crates.iter().map(|(_, lines)| lines).sum::<usize>());
    Ok(())
}

/// The lines of the Rust files in a directory.
fn lines(directory: &Path) -> Result<usize> {
    let mut sum = 0;
    for entry in fs::read_dir(directory).with_context(|| format!("cannot list {}", directory.display()))? {
        let path = entry?.path();
        if EXCLUDED.iter().any(|name| path.file_stem().is_some_and(|stem| stem == *name)) {
            continue;
        }
        if path.is_dir() {
            sum += lines(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sum += fs::read_to_string(&path)?.lines().count();
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use redrive_testkit::folder;

    use super::lines;

    #[test]
    fn tests_conformance_suites_and_generated_code_are_not_counted() {
        let folder = folder("lines");
        for (file, text) in
            [("a.rs", "1\n2\n"), ("b/c.rs", "3\n"), ("tests.rs", "x\n"), ("b/tests/d.rs", "x\n"), ("e.txt", "x\n")]
        {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        assert_eq!(lines(folder.path()).unwrap(), 3);
    }
}
