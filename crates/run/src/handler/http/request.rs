//! The headers of a request.

use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use redrive_model::{Content, Header};

use super::media_type::is_media_type;
use crate::Work;
use crate::handler::wire;

/// Sent unless another one is configured.
const USER_AGENT_DEFAULT: HeaderValue = HeaderValue::from_static(concat!("redrive/", env!("CARGO_PKG_VERSION")));

/// All headers of a request except those of the connection.
pub(super) fn headers(work: &Work, configured: &HeaderMap) -> HeaderMap {
    let mut headers = wire::headers(work, configured);
    describe_body(&mut headers, work.content.payload.len(), || content_type(&work.content));
    wire::pass_on(work, &mut headers, carried);
    headers
}

/// Adds what the headers must have about a body of this length, and defaults for what is not configured.
pub(super) fn describe_body(headers: &mut HeaderMap, length: usize, content_type: impl FnOnce() -> HeaderValue) {
    // The library omits a length of zero, which some servers reject.
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    headers.entry(CONTENT_TYPE).or_insert_with(content_type);
    headers.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
    headers.entry(USER_AGENT).or_insert(USER_AGENT_DEFAULT);
}

fn carried(header: &Header) -> Option<(HeaderName, HeaderValue)> {
    let name = HeaderName::try_from(&header.name).ok()?;
    let value = HeaderValue::from_bytes(&header.value).ok()?;
    Some((name, value))
}

/// The media type of the payload: the first valid one of the work's encoding, kind and `content-type` header.
fn content_type(content: &Content) -> HeaderValue {
    let own = content.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("content-type"));
    let own = own.filter_map(|header| std::str::from_utf8(&header.value).ok());
    [content.encoding.as_str(), content.kind.as_str()]
        .into_iter()
        .chain(own)
        .filter(|text| is_media_type(text))
        .find_map(|text| HeaderValue::from_str(text).ok())
        .unwrap_or(HeaderValue::from_static("application/octet-stream"))
}
