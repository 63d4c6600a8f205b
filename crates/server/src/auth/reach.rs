//! The namespaces in which a caller has a permission.

use std::collections::BTreeSet;

/// The namespaces that a caller may know of, because it has a permission in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All that exist.
    All,
    Only(BTreeSet<String>),
}
