//! The `Authorization` header with an API key.

use http::HeaderMap;
use http::header::AUTHORIZATION;

use crate::api_error::{ApiError, Code};

/// The token after `Bearer`, if the header is present. Bytes that are not UTF-8 become the empty token, which is no
/// valid key.
pub(super) fn token(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let Some(given) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let token = given.as_bytes().strip_prefix(b"Bearer ").ok_or_else(|| {
        ApiError::new(Code::Unauthorized, "invalid authorization header format").because("bad_authorization")
    })?;
    Ok(Some(std::str::from_utf8(token).unwrap_or_default()))
}

pub(super) fn invalid() -> ApiError {
    ApiError::new(Code::Unauthorized, "api key is invalid").because("bad_api_key")
}
