//! The circles of each crate, with the references that cause them.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::Graph;
use super::module_tree::ModuleTree;
use super::references::{Reference, references};
use crate::structure::source::SourceFile;

/// Generated code, and crates that no other crate depends on.
const UNCHECKED_CRATES: &[&str] = &["bench", "generate", "proto"];

/// A comment with this text in one of the files gives the reason for the circle, and so allows it.
const ARGUMENT: &str = "Circle:";

pub(in crate::structure) fn findings(sources: &[SourceFile]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Vec<&SourceFile>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !UNCHECKED_CRATES.contains(&source.krate.as_str())) {
        crates.entry(&source.krate).or_default().push(source);
    }
    crates.iter().flat_map(|(krate, files)| of_crate(krate, files)).collect()
}

fn of_crate(krate: &str, files: &[&SourceFile]) -> Vec<String> {
    let graph = graph(files);
    let is_argued = |circle: &BTreeSet<usize>| circle.iter().any(|file| argues(&files[*file].text));
    let circles = graph.circles().into_iter().filter(|circle| !is_argued(circle));
    circles.map(|circle| describe(krate, files, &graph, &circle)).collect()
}

fn graph(files: &[&SourceFile]) -> Graph<Reference> {
    let tree = ModuleTree::new(files);
    let mut graph = Graph::new();
    for (number, file) in files.iter().enumerate() {
        // The root of a folder re-exports names of all its files: with these edges, every folder would be a circle.
        if file.is_folder_root() {
            continue;
        }
        for reference in references(file) {
            if let Some(target) = tree.file_of(&reference.from, &reference.path)
                && target != number
            {
                graph.add(number, target, reference);
            }
        }
    }
    graph
}

fn argues(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("//") && line.contains(ARGUMENT))
}

fn describe(krate: &str, files: &[&SourceFile], graph: &Graph<Reference>, circle: &BTreeSet<usize>) -> String {
    let folder = format!("crates/{krate}/src/");
    let name = |file: usize| files[file].path.trim_start_matches(&folder);
    let names: Vec<&str> = circle.iter().map(|file| name(*file)).collect();
    let edges = graph.edges_within(circle).map(|(from, to, reference)| {
        format!("\n    {}:{} → {} ({})", files[from].path, reference.line, name(to), reference.path.join("::"))
    });
    let title = format!("circle of {} files in {krate}: {}", names.len(), names.join(", "));
    std::iter::once(title).chain(edges).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::source::samples;

    fn check(files: &[(&str, &str)]) -> Vec<String> {
        findings(&samples(files))
    }

    const ROOT: (&str, &str) = ("crates/a/src/lib.rs", "mod x; mod y; pub use x::X; pub use y::Y;");
    const X: (&str, &str) = ("crates/a/src/x.rs", "\nuse crate::Y; pub struct X(Y);");

    #[test]
    fn references_in_one_direction_are_no_circle() {
        assert!(check(&[ROOT, X, ("crates/a/src/y.rs", "pub struct Y;")]).is_empty());
    }

    #[test]
    fn files_that_import_each_other_are_a_finding() {
        let found = check(&[ROOT, X, ("crates/a/src/y.rs", "pub struct Y(Box<crate::x::X>);")]);
        let expected = "circle of 2 files in a: x.rs, y.rs\
            \n    crates/a/src/x.rs:2 → y.rs (crate::Y)\
            \n    crates/a/src/y.rs:1 → x.rs (crate::x::X)";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn a_reference_in_a_macro_call_counts() {
        let y = "pub struct Y; fn f() { tracing::debug!(x = ?crate::X, \"seen\"); }";
        assert_eq!(check(&[ROOT, X, ("crates/a/src/y.rs", y)]).len(), 1);
    }

    #[test]
    fn references_in_test_code_do_not_count() {
        let y =
            "pub struct Y; #[cfg(test)] mod tests { use crate::X; } impl Y { #[cfg(test)] fn f() { crate::X::g() } }";
        assert!(check(&[ROOT, X, ("crates/a/src/y.rs", y)]).is_empty());
    }

    #[test]
    fn a_circle_with_a_reason_is_no_finding() {
        let y = "// Circle: each is the other's default.\nuse crate::X; pub struct Y;";
        assert!(check(&[ROOT, X, ("crates/a/src/y.rs", y)]).is_empty());
        let text = "use crate::X; pub const Y: &str = \"Circle:\";";
        assert_eq!(check(&[ROOT, X, ("crates/a/src/y.rs", text)]).len(), 1);
    }
}
