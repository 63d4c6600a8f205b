//! Who calls, and what they may do.

mod auth;
mod bearer;
mod cache;
mod caller;
mod edition;
mod mode;
mod permission;
mod secret;
mod usage;

pub(crate) use auth::Auth;
pub(crate) use bearer::expired;
pub(crate) use caller::{ANONYMOUS, Caller};
pub(crate) use edition::Edition;
pub use mode::{AuthMode, Bootstrap, KeyScope};
pub(crate) use permission::{Permission, Permissions};
pub(crate) use secret::{Secret, form, is_tag};
pub(crate) use usage::Used;

/// The namespace of whatever names none.
pub(crate) const SYSTEM: &str = "_system";

/// The namespace that a request names, or the one of whatever names none.
pub(crate) const fn or_system(namespace: &str) -> &str {
    if namespace.is_empty() { SYSTEM } else { namespace }
}
