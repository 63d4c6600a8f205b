//! Reserved header names.

/// Names that every request sets, besides those with the prefix `redrive-`.
const OURS: &[&str] =
    &["accept", "accept-encoding", "content-length", "content-type", "host", "idempotency-key", "range", "user-agent"];

/// Names that concern one connection and are never passed on.
const HOP_BY_HOP: &[&str] = &[
    "connection",
    "expect",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

const PREFIX: &str = "redrive-";

/// Whether Redrive sets the header, so that the work cannot.
pub(crate) fn is_ours(name: &str) -> bool {
    let has_prefix = name.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX));
    has_prefix || contains(OURS, name)
}

pub(crate) fn is_hop_by_hop(name: &str) -> bool {
    contains(HOP_BY_HOP, name)
}

fn contains(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}
