//! From a piece of work to the metadata of a call.

use http::header::{HeaderMap, HeaderName, HeaderValue};
use redrive_model::Header;
use tonic::metadata::MetadataMap;

use crate::Work;
use crate::handler::wire;

/// All metadata of a call but what belongs to gRPC itself.
pub(super) fn metadata(work: &Work, configured: &HeaderMap) -> MetadataMap {
    let mut headers = wire::headers(work, configured);
    wire::pass_on(work, &mut headers, carried);
    MetadataMap::from_headers(headers)
}

/// A header as it is, or, if it is not ASCII, under a name that ends in `-bin`, which is how gRPC tells.
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

/// Whether anybody but gRPC may say something under this name, in lower case.
pub(super) fn is_free(name: &str) -> bool {
    !name.starts_with("grpc-") && !wire::is_ours(name) && !wire::is_hop_by_hop(name)
}

/// Whether values of this name are base64.
pub(super) fn is_binary(name: &str) -> bool {
    name.ends_with("-bin")
}
