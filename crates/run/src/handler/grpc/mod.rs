//! A handler that calls a unary gRPC method: the payload is the message, the status is the result.
//!
//! `docs/grpc-target.md` describes requests and answers.

mod codec;
mod metadata;
mod retry_info;
mod settings;
mod status;
mod target;

pub use settings::GrpcSettings;
pub use target::GrpcTarget;
