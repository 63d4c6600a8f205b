//! The parsed source files of all crates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::syntax::{attributes, is_test_only};

/// The path of a module inside its crate; empty for the crate's root.
pub(super) type ModulePath = Vec<String>;

/// One file below `crates/<crate>/src/`.
pub(super) struct SourceFile {
    /// The name of its folder below `crates/`.
    pub(super) krate: String,
    /// Relative to the workspace, with `/` as separator.
    pub(super) path: String,
    pub(super) module: ModulePath,
    pub(super) text: String,
    pub(super) syntax: syn::File,
}

impl SourceFile {
    /// `path` is relative to the workspace: `crates/<crate>/src/…`.
    pub(super) fn parse(path: &str, text: String) -> Result<Self> {
        let parts: Vec<&str> = path.split('/').collect();
        let ["crates", krate, "src", folders @ .., file] = parts.as_slice() else {
            anyhow::bail!("{path} is not a source file of a crate");
        };
        let stem = file.strip_suffix(".rs").with_context(|| format!("{path} is not Rust"))?;
        let is_root = matches!(*file, "lib.rs" | "main.rs" | "mod.rs");
        let own = (!is_root).then_some(stem);
        let module = folders.iter().copied().chain(own).map(str::to_owned).collect();
        let syntax = syn::parse_file(&text).with_context(|| format!("could not parse {path}"))?;
        Ok(Self { krate: (*krate).to_owned(), path: path.to_owned(), module, text, syntax })
    }

    /// Whether the file is the root module of its folder, which declares and re-exports the other files.
    pub(super) fn is_folder_root(&self) -> bool {
        matches!(self.file_name(), "lib.rs" | "main.rs" | "mod.rs")
    }

    /// Whether a folder above the file has this name.
    pub(super) fn is_below(&self, folder: &str) -> bool {
        self.path.rsplit('/').skip(1).any(|part| part == folder)
    }

    fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    fn is_test_file(&self) -> bool {
        self.file_name() == "tests.rs" || self.is_below("tests")
    }

    /// The modules that this file declares for tests only.
    fn test_modules(&self) -> impl Iterator<Item = ModulePath> {
        self.syntax.items.iter().filter_map(|item| match item {
            syn::Item::Mod(module) if is_test_only(attributes(item)) => {
                Some(self.module.iter().cloned().chain([module.ident.to_string()]).collect())
            }
            _ => None,
        })
    }
}

/// Parses every source file of every crate, except test files.
pub(super) fn parse(texts: &BTreeMap<String, String>) -> Result<Vec<SourceFile>> {
    let is_source = |path: &str| path.starts_with("crates/") && path.split('/').nth(2) == Some("src");
    let sources = texts.iter().filter(|(path, _)| is_source(path));
    Ok(without_tests(sources.map(|(path, text)| SourceFile::parse(path, text.clone())).collect::<Result<_>>()?))
}

/// The texts of all source and test files, by their paths relative to the workspace.
pub(super) fn texts(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    let crates = entries(&root.join("crates"))?.into_iter().chain([root.join("xtask")]);
    for folder in crates.flat_map(|krate| [krate.join("src"), krate.join("tests")]).filter(|folder| folder.is_dir()) {
        load_texts(root, &folder, &mut texts)?;
    }
    Ok(texts)
}

fn load_texts(root: &Path, folder: &Path, texts: &mut BTreeMap<String, String>) -> Result<()> {
    for path in entries(folder)? {
        if path.is_dir() {
            load_texts(root, &path, texts)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
            let inside = path.strip_prefix(root).context("a source file is outside the workspace")?;
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            texts.insert(parts.join("/"), text);
        }
    }
    Ok(())
}

/// The entries of a folder, sorted by name, so that findings have the same order on every machine.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = || std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = read().with_context(|| format!("could not list {}", folder.display()))?;
    paths.sort();
    Ok(paths)
}

pub(super) fn without_tests(mut sources: Vec<SourceFile>) -> Vec<SourceFile> {
    let test_modules: BTreeSet<(String, ModulePath)> =
        sources.iter().flat_map(|source| source.test_modules().map(|module| (source.krate.clone(), module))).collect();
    sources.retain(|source| {
        let is_declared_for_tests =
            test_modules.iter().any(|(krate, module)| *krate == source.krate && source.module.starts_with(module));
        !is_declared_for_tests && !source.is_test_file()
    });
    sources
}

/// Files with these paths and texts.
#[cfg(test)]
pub(super) fn samples(files: &[(&str, &str)]) -> Vec<SourceFile> {
    let parse = |(path, text): &(&str, &str)| SourceFile::parse(path, (*text).to_owned()).expect("Rust");
    files.iter().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_of_a_file_follows_from_its_path() {
        let module = |path| samples(&[(path, "")]).remove(0).module;
        assert_eq!(module("crates/a/src/lib.rs"), [] as [&str; 0]);
        assert_eq!(module("crates/a/src/x.rs"), ["x"]);
        assert_eq!(module("crates/a/src/x/mod.rs"), ["x"]);
        assert_eq!(module("crates/a/src/x/y.rs"), ["x", "y"]);
    }

    #[test]
    fn test_files_are_excluded() {
        let sources = samples(&[
            ("crates/a/src/lib.rs", "mod x; #[cfg(test)] mod harness; #[cfg(feature = \"f\")] mod y;"),
            ("crates/a/src/x.rs", ""),
            ("crates/a/src/y.rs", ""),
            ("crates/a/src/harness/mod.rs", ""),
            ("crates/a/src/harness/disk.rs", ""),
            ("crates/a/src/x/tests.rs", ""),
            ("crates/a/src/tests/many.rs", ""),
            ("crates/b/src/harness.rs", ""),
        ]);
        let kept: Vec<_> = without_tests(sources).into_iter().map(|source| source.path).collect();
        let expected = ["crates/a/src/lib.rs", "crates/a/src/x.rs", "crates/a/src/y.rs", "crates/b/src/harness.rs"];
        assert_eq!(kept, expected);
    }
}
