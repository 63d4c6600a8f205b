//! Checks of fields that several calls share.

use crate::api_error::ApiError;
use crate::auth::is_tag;

const TAG_BYTES_MAX: usize = 16;
/// Maximum length of names of users, keys and roles.
pub(super) const NAME_BYTES_MAX: usize = 128;
/// Maximum length of other texts about users.
pub(super) const TEXT_BYTES_MAX: usize = 256;

pub(super) fn not_empty(field: &str, text: &str) -> Result<(), ApiError> {
    if text.trim().is_empty() {
        return Err(ApiError::bad(format!("{field} is invalid; cannot be empty")));
    }
    Ok(())
}

pub(super) fn at_most(field: &str, text: &str, bytes_max: usize) -> Result<(), ApiError> {
    if text.len() > bytes_max {
        return Err(ApiError::bad(format!("{field} is invalid; cannot be greater than '{bytes_max}' characters")));
    }
    Ok(())
}

pub(super) fn no_colon(field: &str, text: &str) -> Result<(), ApiError> {
    if text.contains(':') {
        return Err(ApiError::bad(format!("{field} is invalid; '{text}' cannot contain ':' character")));
    }
    Ok(())
}

/// Checks the tag of a key, which may be empty.
pub(super) fn tag(field: &str, tag: &str) -> Result<(), ApiError> {
    if tag.len() > TAG_BYTES_MAX {
        return Err(ApiError::bad(format!("{field} is invalid; cannot be greater than {TAG_BYTES_MAX} characters")));
    }
    if !is_tag(tag) {
        return Err(ApiError::bad(format!("{field} is invalid; must be lowercase alphanumeric only")));
    }
    Ok(())
}
