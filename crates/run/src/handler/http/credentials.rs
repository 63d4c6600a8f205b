//! User and password of a URL.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use percent_encoding::percent_decode_str;
use redrive_core::{Invalid, Problem};
use url::Url;

use super::address::shown_url;

/// Moves user and password from the URL to an `Authorization` header, which headers of the work cannot replace.
pub(super) fn take(url: &mut Url, headers: &mut HeaderMap) -> Result<(), Invalid> {
    if url.username().is_empty() && url.password().is_none() {
        return Ok(());
    }
    let address = shown_url(url);
    let refused = |problem, allowed| Invalid::new("url", problem, &address, allowed);
    if headers.contains_key(AUTHORIZATION) {
        return Err(refused(Problem::Contradiction, "no user, where headers have an authorization"));
    }
    let mut credentials: Vec<u8> = percent_decode_str(url.username()).collect();
    credentials.push(b':');
    credentials.extend(percent_decode_str(url.password().unwrap_or_default()));
    let unfit = || refused(Problem::Malformed, "a user and a password that a header can carry");
    let mut value = HeaderValue::try_from(format!("Basic {}", STANDARD.encode(credentials))).map_err(|_| unfit())?;
    value.set_sensitive(true);
    headers.insert(AUTHORIZATION, value);
    url.set_username("").map_err(|()| unfit())?;
    url.set_password(None).map_err(|()| unfit())
}
