//! The type definitions of all crates.

use std::collections::BTreeSet;

use syn::{Item, Type};

use crate::structure::source::SourceFile;
use crate::structure::syntax::{attributes, declared_types, is_test_only};

/// Crates whose names are generated, or that no other crate depends on.
const UNCHECKED_CRATES: &[&str] = &["bench", "generate", "proto", "xtask"];

/// A type with its place in the source.
pub(in crate::structure) struct Definition {
    pub(super) name: String,
    pub(super) krate: String,
    pub(super) is_public: bool,
    /// A call of the server's API, named by its verb inside the module of its noun: `namespaces::List`.
    pub(super) is_endpoint: bool,
    /// `path:line`
    pub(super) place: String,
}

/// The types of all modules except tests and conformance suites. A type inside a function does not count: it cannot be
/// used elsewhere.
pub(in crate::structure) fn definitions(sources: &[SourceFile]) -> Vec<Definition> {
    let mut definitions = Vec::new();
    for source in sources {
        if !UNCHECKED_CRATES.contains(&source.krate.as_str()) && !source.is_below("conformance") {
            collect(source, &source.syntax.items, &mut definitions);
        }
    }
    definitions
}

fn collect(source: &SourceFile, items: &[Item], definitions: &mut Vec<Definition>) {
    let endpoints = if source.krate == "server" { endpoints(items) } else { BTreeSet::new() };
    for item in items.iter().filter(|item| !is_test_only(attributes(item))) {
        definitions.extend(declared_types(item).into_iter().map(|declared| Definition {
            is_endpoint: endpoints.contains(&declared.name),
            name: declared.name,
            krate: source.krate.clone(),
            is_public: declared.is_public,
            place: format!("{}:{}", source.path, declared.line),
        }));
        if let Item::Mod(module) = item
            && let Some((_, inner)) = &module.content
        {
            collect(source, inner, definitions);
        }
    }
}

/// The types with an `impl Endpoint` in the file.
fn endpoints(items: &[Item]) -> BTreeSet<String> {
    let implemented = |item: &Item| {
        let Item::Impl(implementation) = item else { return None };
        let (implemented, _) = implementation.trait_.as_ref()?;
        let is_endpoint = implemented.segments.last()?.ident == "Endpoint";
        let Type::Path(implementor) = implementation.self_ty.as_ref() else { return None };
        is_endpoint.then(|| implementor.path.segments.last().map(|segment| segment.ident.to_string()))?
    };
    items.iter().filter_map(implemented).collect()
}
