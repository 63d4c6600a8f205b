//! The standard roles, which every server has in `_system`.

use crate::auth::{Permission, Permissions};

/// Prefixes of the permissions that Querator does not have. Standard roles grant them without listing them: clients
/// compare the listed permissions with those of Querator.
const IMPLIED: [&str; 3] = ["letters.", "routes.", "audit."];

/// A role that callers cannot change or delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standard {
    pub(crate) name: &'static str,
    /// The prefixes of the names of its permissions.
    nouns: &'static [&'static str],
}

impl Standard {
    pub(crate) const ADMIN: Self = Self { name: "Admin", nouns: &[""] };
    pub(crate) const ALL: [Self; 3] = [
        Self::ADMIN,
        Self { name: "NamespaceOwner", nouns: &["queue.", "letters.", "routes.", "role.", "rolebinding.", "system."] },
        Self { name: "PublicViewer", nouns: &["system."] },
    ];

    /// The names of the permissions that the role lists.
    pub(crate) fn permissions(self) -> Vec<String> {
        let is_implied = |name: &&str| IMPLIED.iter().any(|prefix| name.starts_with(prefix));
        self.names().filter(|name| !is_implied(name)).map(str::to_owned).collect()
    }

    /// All permissions that the role grants, including those that it does not list.
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
