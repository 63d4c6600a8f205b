//! The modules of one crate, and the file that defines the item of a path.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, UseTree};

use crate::structure::source::{ModulePath, SourceFile};
use crate::structure::syntax::{attributes, declared_types, is_test_only};

/// The maximum length of a chain of re-exports. A longer chain is treated as endless.
const STEPS_MAX: usize = 16;

/// The modules of a crate by their path. Files are identified by their index in the list of files.
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

    /// The file that defines the item to which `path` refers in the module `from`; `None` for other crates.
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
        // Without a keyword, an unknown name belongs to another crate or to the prelude.
        let mut is_ours = rest.len() < path.len();
        while let [name, others @ ..] = rest {
            match self.look_up(&module, name, others.is_empty(), steps) {
                Lookup::Found(Place::Module(inner)) => module = inner,
                Lookup::Found(item) => return Some(item),
                // Most likely defined by a macro in this module.
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
        // A module and an item may have the same name; a path continues only after a module.
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
    /// The imported name; `None` for a glob import.
    name: Option<String>,
}

/// The imports of a `use`, one for each name in its braces.
pub(super) fn imports(tree: &UseTree) -> Vec<Import> {
    let mut found = Vec::new();
    flatten(tree, &[], &mut found);
    found
}

fn flatten(tree: &UseTree, prefix: &[String], found: &mut Vec<Import>) {
    match tree {
        UseTree::Path(tree) => flatten(&tree.tree, &below(prefix, &tree.ident.to_string()), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, prefix, found)),
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
    use crate::structure::source::samples;

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
        let files = samples(FILES);
        let split =
            |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let tree = ModuleTree::new(&files.iter().collect::<Vec<_>>());
        tree.file_of(&split(from), &split(path)).map(|file| FILES[file].0.trim_start_matches("crates/a/src/"))
    }

    #[test]
    fn a_re_export_resolves_to_the_file_that_defines_the_item() {
        assert_eq!(file_of("wire", "crate::state::State"), Some("state/state.rs"));
        assert_eq!(file_of("state::lease", "super::State"), Some("state/state.rs"));
        assert_eq!(file_of("state::state", "super::Lease"), Some("state/lease.rs"));
        assert_eq!(file_of("wire", "crate::state::go"), Some("state/lease.rs"));
        assert_eq!(file_of("wire", "crate::State"), Some("state/state.rs"));
    }

    #[test]
    fn a_path_through_an_imported_module_is_resolved() {
        assert_eq!(file_of("wire", "state::Lease::Held"), Some("state/lease.rs"));
        assert_eq!(file_of("state::state", "self::kind::A"), Some("state/state.rs"));
    }

    #[test]
    fn an_item_that_a_macro_defines_belongs_to_the_module_of_the_call() {
        assert_eq!(file_of("state::lease", "crate::wire::Token"), Some("wire.rs"));
    }

    #[test]
    fn names_of_other_crates_have_no_file() {
        assert_eq!(file_of("wire", "std::fmt::Display"), None);
        assert_eq!(file_of("wire", "crate::fmt::Display"), None);
        assert_eq!(file_of("wire", "Self::new"), None);
    }
}
