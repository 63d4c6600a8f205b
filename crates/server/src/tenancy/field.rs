//! Checks of fields that several calls share.

use crate::auth::is_tag;
use crate::fault::Fault;

const TAG_BYTES_MAX: usize = 16;
/// Maximum length of names of users, keys and roles.
pub(super) const NAME_BYTES_MAX: usize = 128;
/// Maximum length of other texts about users.
pub(super) const TEXT_BYTES_MAX: usize = 256;

pub(super) fn not_empty(field: &str, text: &str) -> Result<(), Fault> {
    if text.trim().is_empty() {
        return Err(Fault::bad(format!("{field} is invalid; cannot be empty")));
    }
    Ok(())
}

pub(super) fn at_most(field: &str, text: &str, bytes_max: usize) -> Result<(), Fault> {
    if text.len() > bytes_max {
        return Err(Fault::bad(format!("{field} is invalid; cannot be greater than '{bytes_max}' characters")));
    }
    Ok(())
}

pub(super) fn no_colon(field: &str, text: &str) -> Result<(), Fault> {
    if text.contains(':') {
        return Err(Fault::bad(format!("{field} is invalid; '{text}' cannot contain ':' character")));
    }
    Ok(())
}

/// Checks the tag of a key, which may be empty.
pub(super) fn tag(field: &str, tag: &str) -> Result<(), Fault> {
    if tag.len() > TAG_BYTES_MAX {
        return Err(Fault::bad(format!("{field} is invalid; cannot be greater than {TAG_BYTES_MAX} characters")));
    }
    if !is_tag(tag) {
        return Err(Fault::bad(format!("{field} is invalid; must be lowercase alphanumeric only")));
    }
    Ok(())
}
