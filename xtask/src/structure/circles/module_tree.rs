//! The modules of one crate, and which file defines what a path names.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, UseTree};

use crate::structure::source::{ModulePath, SourceFile};
use crate::structure::syntax::{attributes, declared_types, is_test_only};

/// Re-exports of re-exports are followed this far. A longer chain is taken for one without an end.
const STEPS_MAX: usize = 16;

/// The modules of a crate by their path. A file is known by its place in the list that the tree was made from.
pub(super) struct ModuleTree {
    modules: BTreeMap<ModulePath, Module>,
}

#[derive(Default)]
struct Module {
    file: usize,
    items: BTreeSet<String>,
    imports: BTreeMap<String, ModulePath>,
    glob_imports: Vec<ModulePath>,
}

#[derive(Debug, Clone, PartialEq)]
enum Place {
    Module(ModulePath),
    /// An item, by the file that defines it.
    Item(usize),
}

enum Lookup {
    Found(Place),
    /// The name is imported from another crate.
    External,
    Unknown,
}

impl ModuleTree {
    pub(super) fn new(files: &[&SourceFile]) -> Self {
        let mut tree = Self { modules: BTreeMap::new() };
        for (number, file) in files.iter().enumerate() {
            tree.add(number, file.module.clone(), &file.syntax.items);
        }
        tree
    }

    fn add(&mut self, file: usize, path: ModulePath, items: &[Item]) {
        let mut module = Module { file, ..Module::default() };
        for item in items.iter().filter(|item| !is_test_only(attributes(item))) {
            module.items.extend(declared_types(item).into_iter().map(|declared| declared.name));
            match item {
                Item::Const(item) => module.add_item(&item.ident),
                Item::Fn(item) => module.add_item(&item.sig.ident),
                Item::Static(item) => module.add_item(&item.ident),
                Item::Macro(item) => item.ident.iter().for_each(|name| module.add_item(name)),
                Item::Use(item) if item.leading_colon.is_none() => module.add_imports(&item.tree),
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        self.add(file, below(&path, &inner.ident.to_string()), items);
                    }
                }
                _ => {}
            }
        }
        self.modules.insert(path, module);
    }

    /// The file that defines what `path` names where it is written in the module `from`. None for other crates.
    pub(super) fn file_of(&self, from: &[String], path: &[String]) -> Option<usize> {
        match self.resolve(from, path, STEPS_MAX)? {
            Place::Item(file) => Some(file),
            Place::Module(module) => Some(self.modules.get(&module)?.file),
        }
    }

    fn resolve(&self, from: &[String], path: &[String], steps: usize) -> Option<Place> {
        let mut module = from.to_vec();
        let mut rest = path;
        while let [first, others @ ..] = rest {
            match first.as_str() {
                "crate" => module.clear(),
                "super" => drop(module.pop()?),
                "self" => {}
                _ => break,
            }
            rest = others;
        }
        // Without a keyword, a name that the module does not know is one of another crate, or of the prelude.
        let mut is_ours = rest.len() < path.len();
        while let [name, others @ ..] = rest {
            match self.look_up(&module, name, others.is_empty(), steps) {
                Lookup::Found(Place::Module(inner)) => module = inner,
                Lookup::Found(item) => return Some(item),
                // Defined by a macro, most likely; the module is where it stands.
                Lookup::Unknown if is_ours => return self.modules.get(&module).map(|module| Place::Item(module.file)),
                Lookup::Unknown | Lookup::External => return None,
            }
            is_ours = true;
            rest = others;
        }
        Some(Place::Module(module))
    }

    fn look_up(&self, path: &[String], name: &str, is_last: bool, steps: usize) -> Lookup {
        let (Some(module), Some(steps)) = (self.modules.get(path), steps.checked_sub(1)) else {
            return Lookup::Unknown;
        };
        let child = below(path, name);
        let is_module = self.modules.contains_key(&child);
        // A module and an item may share a name. What follows the name tells which one is meant.
        if is_module && !is_last {
            return Lookup::Found(Place::Module(child));
        }
        if module.items.contains(name) {
            return Lookup::Found(Place::Item(module.file));
        }
        if let Some(import) = module.imports.get(name) {
            return self.resolve(path, import, steps).map_or(Lookup::External, Lookup::Found);
        }
        if is_module {
            return Lookup::Found(Place::Module(child));
        }
        self.look_up_in_globs(module, path, name, is_last, steps)
    }

    fn look_up_in_globs(&self, module: &Module, path: &[String], name: &str, is_last: bool, steps: usize) -> Lookup {
        for import in &module.glob_imports {
            if let Some(Place::Module(imported)) = self.resolve(path, import, steps)
                && let Lookup::Found(place) = self.look_up(&imported, name, is_last, steps)
            {
                return Lookup::Found(place);
            }
        }
        Lookup::Unknown
    }
}

impl Module {
    fn add_item(&mut self, name: &syn::Ident) {
        self.items.insert(name.to_string());
    }

    fn add_imports(&mut self, tree: &UseTree) {
        for import in imports(tree) {
            match import.name {
                Some(name) => drop(self.imports.insert(name, import.path)),
                None => self.glob_imports.push(import.path),
            }
        }
    }
}

/// One name of a `use`.
pub(super) struct Import {
    pub(super) path: ModulePath,
    /// The name that the module gets; none if it gets every name of `path`.
    name: Option<String>,
}

/// The imports of a `use`, its braces opened.
pub(super) fn imports(tree: &UseTree) -> Vec<Import> {
    let mut found = Vec::new();
    open(tree, &[], &mut found);
    found
}

fn open(tree: &UseTree, prefix: &[String], found: &mut Vec<Import>) {
    match tree {
        UseTree::Path(tree) => open(&tree.tree, &below(prefix, &tree.ident.to_string()), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| open(tree, prefix, found)),
        UseTree::Glob(_) => found.push(Import { path: prefix.to_vec(), name: None }),
        UseTree::Name(tree) => {
            let name = tree.ident.to_string();
            if name == "self" {
                found.push(Import { path: prefix.to_vec(), name: prefix.last().cloned() });
            } else {
                found.push(Import { path: below(prefix, &name), name: Some(name) });
            }
        }
        UseTree::Rename(tree) => {
            let name = tree.ident.to_string();
            let path = if name == "self" { prefix.to_vec() } else { below(prefix, &name) };
            found.push(Import { path, name: Some(tree.rename.to_string()) });
        }
    }
}

pub(super) fn below(path: &[String], name: &str) -> ModulePath {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[(&str, &str)] = &[
        ("crates/a/src/lib.rs", "mod state; mod wire; pub use state::*; use std::fmt;"),
        (
            "crates/a/src/state/mod.rs",
            "mod state; mod lease; pub use state::State; pub use lease::{Lease, lease as go};",
        ),
        ("crates/a/src/state/state.rs", "pub struct State; mod kind { pub const A: u8 = 1; }"),
        ("crates/a/src/state/lease.rs", "closed_set! { pub enum Lease {} } pub fn lease() {}"),
        ("crates/a/src/wire.rs", "use crate::state; typed_id! { Token }"),
    ];

    fn file_of(from: &str, path: &str) -> Option<&'static str> {
        let parse = |(path, text): &(&str, &str)| SourceFile::parse(path, (*text).to_owned()).expect("Rust");
        let files: Vec<SourceFile> = FILES.iter().map(parse).collect();
        let split =
            |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let tree = ModuleTree::new(&files.iter().collect::<Vec<_>>());
        tree.file_of(&split(from), &split(path)).map(|file| FILES[file].0.trim_start_matches("crates/a/src/"))
    }

    #[test]
    fn a_re_export_leads_to_the_file_that_defines() {
        assert_eq!(file_of("wire", "crate::state::State"), Some("state/state.rs"));
        assert_eq!(file_of("state::lease", "super::State"), Some("state/state.rs"));
        assert_eq!(file_of("state::state", "super::Lease"), Some("state/lease.rs"));
        assert_eq!(file_of("wire", "crate::state::go"), Some("state/lease.rs"));
        assert_eq!(file_of("wire", "crate::State"), Some("state/state.rs"));
    }

    #[test]
    fn an_imported_module_is_followed() {
        assert_eq!(file_of("wire", "state::Lease::Held"), Some("state/lease.rs"));
        assert_eq!(file_of("state::state", "self::kind::A"), Some("state/state.rs"));
    }

    #[test]
    fn what_a_macro_defines_stands_in_its_module() {
        assert_eq!(file_of("state::lease", "crate::wire::Token"), Some("wire.rs"));
    }

    #[test]
    fn names_of_other_crates_have_no_file() {
        assert_eq!(file_of("wire", "std::fmt::Display"), None);
        assert_eq!(file_of("wire", "crate::fmt::Display"), None);
        assert_eq!(file_of("wire", "Self::new"), None);
    }
}
