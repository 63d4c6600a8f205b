//! How many bytes requests and documents take on disk, at most.

use redrive_queue::Relocate;

use crate::message::QueuedRequest;

/// What all of these take at most, in the turn that they are in.
pub(super) fn bytes_of_all(requests: &[QueuedRequest]) -> usize {
    debug_assert!(requests.iter().all(|request| request.bytes > 0), "a request was not weighed in its turn");
    requests.iter().map(|request| request.bytes).sum()
}

/// No less than these documents take when they are written again.
pub(super) fn relocation_bytes(documents: &[Relocate]) -> usize {
    documents.iter().map(|document| document.len() + 128).sum()
}
