//! Upper bounds for the size of requests and documents on disk.

use redrive_queue::Relocate;

use crate::message::QueuedRequest;

/// An upper bound for the size of all these requests, computed for the batch that they are in.
pub(super) fn bytes_of_all(requests: &[QueuedRequest]) -> usize {
    debug_assert!(requests.iter().all(|request| request.bytes > 0), "the size of a request was not computed");
    requests.iter().map(|request| request.bytes).sum()
}

/// An upper bound for the size of these documents when they are rewritten.
pub(super) fn relocation_bytes(documents: &[Relocate]) -> usize {
    documents.iter().map(|document| document.len() + 128).sum()
}
