//! The metadata of a call.

use http::header::{HeaderMap, HeaderName, HeaderValue};
use redrive_model::Header;
use tonic::metadata::MetadataMap;

use crate::Work;
use crate::handler::wire;

/// All metadata of a call except for gRPC's own.
pub(super) fn metadata(work: &Work, configured: &HeaderMap) -> MetadataMap {
    let mut headers = wire::headers(work, configured);
    wire::pass_on(work, &mut headers, carried);
    MetadataMap::from_headers(headers)
}

/// A header as metadata. Values that are not ASCII get a name that ends in `-bin`, as gRPC requires.
fn carried(header: &Header) -> Option<(HeaderName, HeaderValue)> {
    let name = HeaderName::try_from(&header.name).ok().filter(|name| is_free(name.as_str()))?;
    let is_ascii = header.value.iter().all(|byte| matches!(byte, b' '..=b'~'));
    match (is_binary(name.as_str()), is_ascii) {
        (true, _) => Some((name, wire::binary(&header.value).ok()?)),
        (false, true) => Some((name, HeaderValue::from_bytes(&header.value).ok()?)),
        (false, false) => {
            let name = HeaderName::try_from(format!("{name}-bin")).ok()?;
            Some((name, wire::binary(&header.value).ok()?))
        }
    }
}

/// Whether metadata may have this name (in lower case): it belongs neither to gRPC nor to Redrive.
pub(super) fn is_free(name: &str) -> bool {
    !name.starts_with("grpc-") && !wire::is_ours(name) && !wire::is_hop_by_hop(name)
}

/// Whether values under this name are base64.
pub(super) fn is_binary(name: &str) -> bool {
    name.ends_with("-bin")
}
