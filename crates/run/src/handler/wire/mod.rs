//! What HTTP and gRPC targets have in common: the headers that they get, and the evidence in their responses.

mod address;
mod bounds;
mod configured;
mod detail;
mod fields;
mod headers;
mod names;
mod retry_after;
mod tls;
mod trace;
mod transport;

pub(crate) use address::shown;
pub(crate) use bounds::{bytes_within, span_within};
pub(crate) use configured::configured;
pub(crate) use detail::detail;
#[cfg(feature = "grpc")]
pub(crate) use headers::binary;
pub(crate) use headers::{headers, pass_on};
pub(crate) use names::{is_hop_by_hop, is_ours};
pub use redrive_core::Secret;
pub(crate) use retry_after::retry_after;
pub use tls::{ClientCertificate, TargetTls};
pub(crate) use transport::broken;
#[cfg(feature = "grpc")]
pub(crate) use transport::chain;
#[cfg(feature = "http")]
pub(crate) use transport::evidence_of;
