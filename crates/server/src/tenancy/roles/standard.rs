//! The roles that every server has, in `_system`.

use crate::auth::{Permission, Permissions};

/// How the names of our own permissions begin. Roles imply them without listing them: clients compare what standard roles
/// list with what the original's have.
const IMPLIED: &str = "letters.";

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

    /// Those that it lists.
    pub(crate) fn permissions(self) -> Vec<String> {
        self.names().filter(|name| !name.starts_with(IMPLIED)).map(str::to_owned).collect()
    }

    /// All that it grants, those included that it does not list.
    pub(super) fn grants(self) -> Permissions {
        Permissions::named(self.names())
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        let names = Permission::ALL.iter().map(|permission| permission.name());
        names.filter(move |name| self.nouns.iter().any(|noun| name.starts_with(noun)))
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|standard| standard.name == name)
    }
}
