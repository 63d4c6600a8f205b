//! Files of a crate that import each other: none of them can be read, tested or moved without the rest.
//!
//! A reference is a path in the source to a module or an item of the same crate. A method call is not a path, so a file
//! that extends a type of another file with an `impl` does not make a circle.

mod findings;
mod graph;
mod module_tree;
mod references;

pub(super) use findings::findings;
