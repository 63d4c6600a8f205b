//! The roles that every server has, in `_system`.

use crate::auth::Permission;

/// A role that nobody can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standard {
    pub(crate) name: &'static str,
    /// How the names of its permissions begin.
    nouns: &'static [&'static str],
}

impl Standard {
    pub(crate) const ADMIN: Self = Self { name: "Admin", nouns: &[""] };
    pub(crate) const ALL: [Self; 3] = [
        Self::ADMIN,
        Self { name: "NamespaceOwner", nouns: &["queue.", "letters.", "role.", "rolebinding.", "system."] },
        Self { name: "PublicViewer", nouns: &["system."] },
    ];

    pub(crate) fn permissions(self) -> Vec<String> {
        let names = Permission::ALL.iter().map(|permission| permission.name());
        names.filter(|name| self.nouns.iter().any(|noun| name.starts_with(noun))).map(str::to_owned).collect()
    }

    pub(super) fn is(name: &str) -> bool {
        Self::ALL.iter().any(|standard| standard.name == name)
    }
}
