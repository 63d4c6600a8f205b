//! The paths in a file.

use syn::visit::{self, Visit};
use syn::{ImplItemFn, Item, ItemMod, ItemUse, Macro, Path, Visibility};

use super::module_tree::{below, imports};
use crate::structure::source::{ModulePath, SourceFile};
use crate::structure::syntax::{attributes, is_test_only, line, paths_in_tokens};

/// A path as it is written, and the module that contains it.
pub(super) struct Reference {
    pub(super) from: ModulePath,
    pub(super) path: ModulePath,
    pub(super) line: usize,
}

/// Every import, and every path of two or more names, outside test code.
pub(super) fn references(file: &SourceFile) -> Vec<Reference> {
    let mut visitor = Visitor { module: file.module.clone(), found: Vec::new() };
    visitor.visit_file(&file.syntax);
    visitor.found
}

struct Visitor {
    module: ModulePath,
    found: Vec<Reference>,
}

impl Visitor {
    fn add(&mut self, path: ModulePath, line: usize) {
        self.found.push(Reference { from: self.module.clone(), path, line });
    }
}

impl<'ast> Visit<'ast> for Visitor {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test_only(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if !is_test_only(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let inner = below(&self.module, &module.ident.to_string());
        let outer = std::mem::replace(&mut self.module, inner);
        visit::visit_item_mod(self, module);
        self.module = outer;
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if item.leading_colon.is_none() {
            let line = line(item.use_token.span);
            imports(&item.tree).into_iter().for_each(|import| self.add(import.path, line));
        }
    }

    /// Skipped: `pub(in path)` restricts visibility and is no dependency.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast Path) {
        if path.leading_colon.is_none()
            && path.segments.len() > 1
            && let Some(first) = path.segments.first()
        {
            let names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.add(names, line(first.ident.span()));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let mut found = Vec::new();
        paths_in_tokens(call.tokens.clone(), &mut found);
        found.into_iter().for_each(|(path, line)| self.add(path, line));
        visit::visit_macro(self, call);
    }
}
