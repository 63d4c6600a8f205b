//! The `Authorization` header with an API key.

use http::HeaderMap;
use http::header::AUTHORIZATION;

use crate::fault::{Code, Fault};

/// The token after `Bearer`, if the header is present. Bytes that are not UTF-8 become the empty token, which is no
/// valid key.
pub(super) fn token(headers: &HeaderMap) -> Result<Option<&str>, Fault> {
    let Some(given) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let token = given.as_bytes().strip_prefix(b"Bearer ").ok_or_else(wrong_scheme)?;
    Ok(Some(std::str::from_utf8(token).unwrap_or_default()))
}

fn wrong_scheme() -> Fault {
    Fault::new(Code::Unauthorized, "invalid authorization header format")
}

pub(super) fn invalid() -> Fault {
    Fault::new(Code::Unauthorized, "api key is invalid")
}
