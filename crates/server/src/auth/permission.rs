//! The permissions of calls: a closed set.

macro_rules! permissions {
    ($($Name:ident = $text:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Permission {
            $($Name,)*
        }

        impl Permission {
            pub(crate) const ALL: &[Self] = &[$(Self::$Name,)*];

            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Name => $text,)*
                }
            }
        }
    };
}

permissions! {
    NamespaceCreate = "namespace.create",
    NamespaceDelete = "namespace.delete",
    NamespaceList = "namespace.list",
    NamespaceUpdate = "namespace.update",
    QueueCreate = "queue.create",
    QueueDelete = "queue.delete",
    QueueUpdate = "queue.update",
    QueueList = "queue.list",
    QueueProduce = "queue.produce",
    QueueLease = "queue.lease",
    QueueComplete = "queue.complete",
    QueueRetry = "queue.retry",
    QueueStats = "queue.stats",
    QueueClear = "queue.clear",
    UserCreate = "user.create",
    UserDelete = "user.delete",
    UserList = "user.list",
    ApiKeyCreate = "apikey.create",
    ApiKeyDelete = "apikey.delete",
    ApiKeyList = "apikey.list",
    RoleCreate = "role.create",
    RoleUpdate = "role.update",
    RoleDelete = "role.delete",
    RoleList = "role.list",
    RoleBindingCreate = "rolebinding.create",
    RoleBindingDelete = "rolebinding.delete",
    RoleBindingList = "rolebinding.list",
    LettersRead = "letters.read",
    LettersRetry = "letters.retry",
    LettersArchive = "letters.archive",
    LettersEdit = "letters.edit",
    LettersClear = "letters.clear",
    LettersEnqueue = "letters.enqueue",
    LettersConfigure = "letters.configure",
    LettersReveal = "letters.reveal",
    LettersExport = "letters.export",
    RoutesRead = "routes.read",
    RoutesWrite = "routes.write",
    AuditRead = "audit.read",
    SystemHealth = "system.health",
    SystemMetrics = "system.metrics",
}

impl Permission {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|permission| permission.name() == name)
    }
}

/// A set of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Permissions(u64);

const _: () = assert!(Permission::ALL.len() < u64::BITS as usize);

impl Permissions {
    /// The permissions with these names; unknown names are ignored.
    pub(crate) fn named<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        names.filter_map(Permission::named).fold(Self::default(), Self::with)
    }

    pub(crate) const fn with(self, permission: Permission) -> Self {
        Self(self.0 | 1 << permission as u32)
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// All permissions.
    pub(crate) const ALL: Self = Self((1 << Permission::ALL.len()) - 1);

    /// All that guard something: health and metrics need no API key.
    pub(crate) const GUARDS: Self =
        Self::ALL.without(Self(0).with(Permission::SystemHealth).with(Permission::SystemMetrics));

    /// The names of the permissions, in the order of their definition.
    pub(crate) fn names(self) -> Vec<String> {
        let held = Permission::ALL.iter().filter(|permission| self.has(**permission));
        held.map(|permission| permission.name().to_owned()).collect()
    }

    /// The first permission of this set that `held` lacks.
    pub(crate) fn first_not_in(self, held: Self) -> Option<Permission> {
        Permission::ALL.iter().copied().find(|permission| self.has(*permission) && !held.has(*permission))
    }

    /// The permissions that are not in `others`.
    pub(crate) const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    pub(crate) const fn intersects(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    pub(crate) const fn has(self, permission: Permission) -> bool {
        self.0 & 1 << permission as u32 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Permission, Permissions};

    #[test]
    fn each_name_grants_only_its_own_permission() {
        for given in Permission::ALL {
            let allowed = Permissions::named([given.name(), "queue.fly"].into_iter());
            for permission in Permission::ALL {
                assert_eq!(allowed.has(*permission), permission == given);
            }
        }
    }
}
