//! Files that no module declares. The compiler does not read them, so that a test in one of them never runs.

use std::collections::BTreeMap;
use std::path::Path;

/// The files of all crates that no module above them declares. `texts` has the text of each file, by its path relative to
/// the workspace.
pub(super) fn findings(texts: &BTreeMap<String, String>) -> Vec<String> {
    let undeclared = texts.keys().filter(|path| !is_root(path) && !is_declared(path, texts));
    undeclared.map(|path| format!("{path}: add `mod NAME;` to the module above it, or delete it")).collect()
}

/// Whether cargo finds the file, or a macro includes it.
fn is_root(path: &str) -> bool {
    path.ends_with("/lib.rs") || path.ends_with("/main.rs") || path.contains("/generated/")
}

fn is_declared(path: &str, texts: &BTreeMap<String, String>) -> bool {
    let file = Path::new(path);
    let folder = file.parent().unwrap_or(file);
    let is_folder = file.file_name().is_some_and(|name| name == "mod.rs");
    let module = if is_folder { folder } else { file };
    let name = module.file_stem().unwrap_or_default().to_string_lossy();
    // An inline module may be in any file above.
    let above = module.ancestors().skip(1).map(|folder| folder.to_string_lossy().into_owned());
    let parents =
        above.flat_map(|folder| ["/mod.rs", "/lib.rs", "/main.rs", ".rs"].map(|end| format!("{folder}{end}")));
    let is_declared = parents.filter_map(|parent| texts.get(&parent)).any(|text| declares(text, &name));
    // Another crate may include it by its path.
    is_declared || texts.values().any(|text| text.lines().any(|line| line.contains("#[path") && names(line, path)))
}

/// Whether a text has `mod NAME;`, with any visibility.
fn declares(text: &str, name: &str) -> bool {
    let declared = format!("mod {name};");
    text.lines().map(str::trim).any(|line| line.strip_suffix(&declared).is_some_and(|before| !before.contains("//")))
}

/// Whether an attribute `#[path = "…"]` ends with the last two parts of a path.
fn names(attribute: &str, path: &str) -> bool {
    let end = path.rsplitn(3, '/').take(2).collect::<Vec<_>>();
    end.len() == 2 && attribute.contains(&format!("{}/{}\"", end[1], end[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_no_module_above_it_declares_is_found() {
        let files = [
            ("crates/a/src/lib.rs", "mod x;\npub(crate) mod y;\n// mod z;"),
            ("crates/a/src/x.rs", ""),
            ("crates/a/src/y/mod.rs", "mod deep;"),
            ("crates/a/src/y/deep.rs", ""),
            ("crates/a/src/y/forgotten.rs", ""),
            ("crates/a/src/z.rs", ""),
            ("crates/a/tests/it/main.rs", "mod with_x {\n    mod inline;\n}"),
            ("crates/a/tests/it/with_x/inline.rs", ""),
            ("crates/a/tests/it/with_x/other.rs", ""),
            ("crates/b/src/lib.rs", "#[path = \"../../a/tests/it/with_x/shared.rs\"]\nmod shared;"),
            ("crates/a/tests/it/with_x/shared.rs", ""),
            ("crates/b/src/generated/m.rs", ""),
        ];
        let found = findings(&files.map(|(path, text)| (path.to_owned(), text.to_owned())).into());
        let found: Vec<&str> = found.iter().filter_map(|finding| finding.split(':').next()).collect();
        assert_eq!(found, ["crates/a/src/y/forgotten.rs", "crates/a/src/z.rs", "crates/a/tests/it/with_x/other.rs"]);
    }
}
