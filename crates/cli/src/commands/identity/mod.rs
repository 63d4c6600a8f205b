//! What the commands about namespaces, users, keys, roles and bindings share.

mod audited;
mod listed_namespaces;
mod names;
mod namespace_option;
mod pivot_pages;
mod users;

pub(super) use audited::Audited;
pub(super) use listed_namespaces::{NamespacesOption, note_others, others};
pub(super) use names::Names;
pub(super) use namespace_option::NamespaceOption;
pub(super) use pivot_pages::{PAGE, PivotPages};
pub(super) use users::{find_user, user_id, users};
