//! Rules about the shape of the workspace that neither the compiler nor clippy knows.
//!
//! - [`layers`]: which crate may depend on which.
//! - [`names`]: one type name, one type.
//! - [`circles`]: files of a crate that need each other.
//!
//! The rules read the manifests and the source text, not the compiled program. They run before clippy because they
//! take seconds, and they work on a tree that does not compile.

mod check;
mod circles;
mod layers;
mod names;
mod source;
mod syntax;

pub(crate) use check::check;
