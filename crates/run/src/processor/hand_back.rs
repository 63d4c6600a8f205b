//! The contract of a transport that takes letters back.

use async_trait::async_trait;

use crate::{Call, Handled};

/// Hands letters back to where they came from, for the origins of one transport. An
/// [`OriginTarget`](crate::OriginTarget) finds it by the transport of a letter's origin.
///
/// **The origin is not to be trusted**: the caller of a capture names it. So a transport hands back only to places
/// that its settings allow, and everything else is a permanent failure.
#[async_trait]
pub trait HandBack: Send + Sync + 'static {
    /// The transport of the origins that it serves, as in `Origin::transport`: `queue`, `kafka`.
    fn transport(&self) -> &'static str;

    /// Hands the work back. [`Handled::DONE`] completes the letter, so it is returned once the work is durable at its
    /// origin. A result that is not known is a failure: the work may arrive twice, and is never lost.
    async fn hand_back(&self, call: &Call) -> Handled;
}
