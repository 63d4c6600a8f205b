//! What a call needs its caller to be allowed: a closed set.

use std::str::FromStr;

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
    SystemHealth = "system.health",
    SystemMetrics = "system.metrics",
}

/// A name that is no permission's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnknownPermission;

impl FromStr for Permission {
    type Err = UnknownPermission;

    fn from_str(text: &str) -> Result<Self, UnknownPermission> {
        Self::ALL.iter().copied().find(|permission| permission.name() == text).ok_or(UnknownPermission)
    }
}

/// What somebody may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Permissions(u64);

const _: () = assert!(Permission::ALL.len() <= u64::BITS as usize);

impl Permissions {
    /// Those with these names. A name that is not known allows nothing.
    pub(crate) fn named<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        names.filter_map(|name| name.parse().ok()).fold(Self::default(), Self::with)
    }

    const fn with(self, permission: Permission) -> Self {
        Self(self.0 | 1 << permission as u32)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// One of these that others do not hold.
    pub(crate) fn beyond(self, held: Self) -> Option<Permission> {
        Permission::ALL.iter().copied().find(|permission| self.has(*permission) && !held.has(*permission))
    }

    /// Those that are not among others.
    pub(crate) const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    pub(crate) const fn has(self, permission: Permission) -> bool {
        self.0 & 1 << permission as u32 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Permission, Permissions};

    #[test]
    fn each_permission_allows_itself_alone() {
        for given in Permission::ALL {
            let allowed = Permissions::named([given.name(), "queue.fly"].into_iter());
            for permission in Permission::ALL {
                assert_eq!(allowed.has(*permission), permission == given);
            }
        }
    }
}
