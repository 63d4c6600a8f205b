//! Rules about the structure of the workspace that neither the compiler nor clippy checks.
//!
//! - [`layers`]: which crate may depend on which.
//! - [`names`]: one type name, one type.
//! - [`circles`]: files of a crate that import each other.
//! - [`undeclared`]: files that no module declares.
//!
//! The rules read the manifests and the source text, not the compiled program. They take seconds and work on a tree
//! that does not compile, so they run before clippy.

mod check;
mod circles;
mod layers;
mod names;
mod source;
mod syntax;
mod undeclared;

pub(crate) use check::check;
