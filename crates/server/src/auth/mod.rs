//! Authentication and authorization of callers.

mod auth;
mod bearer;
mod cache;
mod caller;
mod denial;
mod edition;
mod mode;
mod permission;
mod reach;
mod secret;
mod usage;

use redrive_core::NamespaceName;
use redrive_model::QueueSettings;

pub(crate) use auth::Auth;
pub(crate) use caller::{ANONYMOUS, Caller};
pub(crate) use edition::Edition;
pub use mode::{AuthMode, Bootstrap, KeyScope};
pub(crate) use permission::{Permission, Permissions};
pub(crate) use reach::Reach;
pub(crate) use secret::{Secret, is_tag, key_format};
pub(crate) use usage::LastUse;

/// The namespace of queues that name none. Roles that are bound in it hold in all namespaces.
pub(crate) const SYSTEM: &str = "_system";

/// The namespace of queues of the server itself. No caller can create it, and overviews leave its queues out.
pub(crate) const INTERNAL: &str = "_redrive";

/// The namespace of a request; `_system` if it names none.
pub(crate) const fn or_system(namespace: &str) -> &str {
    if namespace.is_empty() { SYSTEM } else { namespace }
}

/// The namespace that a queue belongs to.
pub(crate) fn namespace_of(queue: &QueueSettings) -> &str {
    queue.namespace.as_ref().map_or(SYSTEM, NamespaceName::as_str)
}
