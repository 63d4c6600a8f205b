//! The headers of a request.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use redrive_model::{Content, Header};

use super::fields::{Fields, Key, key};
use super::names::{is_hop_by_hop, is_ours};
use crate::Work;

/// Number of headers of most requests.
const CAPACITY: usize = 12;

/// The metadata of the work and the configured headers. A configured header replaces metadata of the same name.
pub(crate) fn headers(work: &Work, configured: &HeaderMap) -> HeaderMap {
    let own = work.content.headers.len().min(Content::HEADERS_MAX);
    let mut headers = HeaderMap::with_capacity(CAPACITY + configured.len() + own);
    Fields::of(work).put_into(&mut headers);
    let of_key = key(work).map(|key| match key {
        Key::Plain(text) => ("redrive-key", HeaderValue::from_str(text)),
        Key::Binary(bytes) => ("redrive-key-bin", binary(bytes)),
    });
    if let Some((name, Ok(value))) = of_key {
        headers.insert(HeaderName::from_static(name), value);
    }
    for name in configured.keys() {
        headers.remove(name);
    }
    for (name, value) in configured {
        headers.append(name.clone(), value.clone());
    }
    headers
}

/// Adds the headers of the work that the protocol can carry and whose name is not used yet. Other headers are dropped:
/// a broker accepts headers that HTTP and gRPC do not.
pub(crate) fn pass_on(
    work: &Work,
    headers: &mut HeaderMap,
    carried: impl Fn(&Header) -> Option<(HeaderName, HeaderValue)>,
) {
    let own = work.content.headers.iter().take(Content::HEADERS_MAX);
    let own = own.filter(|header| !is_ours(&header.name) && !is_hop_by_hop(&header.name));
    let mut passed = HeaderMap::new();
    for (name, value) in own.filter_map(carried) {
        if !headers.contains_key(&name) {
            passed.append(name, value);
        }
    }
    headers.extend(passed);
}

/// Bytes as gRPC writes them in a header whose name ends in `-bin`.
pub(crate) fn binary(bytes: &[u8]) -> Result<HeaderValue, http::header::InvalidHeaderValue> {
    HeaderValue::try_from(STANDARD.encode(bytes))
}
