//! The header in which a key is shown.

use http::HeaderMap;
use http::header::AUTHORIZATION;

use crate::fault::{Code, Fault};

/// What stands behind `Bearer`, if the header is there. What is no text is no key.
pub(super) fn shown(headers: &HeaderMap) -> Result<Option<&str>, Fault> {
    let Some(given) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let shown = given.as_bytes().strip_prefix(b"Bearer ").ok_or_else(wrong_scheme)?;
    Ok(Some(std::str::from_utf8(shown).unwrap_or_default()))
}

fn wrong_scheme() -> Fault {
    Fault::new(Code::Unauthorized, "invalid authorization header format")
}

pub(super) fn invalid() -> Fault {
    Fault::new(Code::Unauthorized, "api key is invalid")
}

pub(crate) fn expired() -> Fault {
    Fault::new(Code::Unauthorized, "api key has expired")
}
