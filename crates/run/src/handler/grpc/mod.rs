//! A handler that calls a method over gRPC: the payload is the message, the status says what became of it.
//!
//! What goes over the wire is in `docs/grpc-target.md`.

mod codec;
mod metadata;
mod protobuf;
mod retry_info;
mod settings;
mod status;
mod target;

pub use settings::GrpcSettings;
pub use target::GrpcTarget;
