//! Handlers: closures, HTTP and gRPC targets, worker processes.

mod call;
pub(crate) mod current_attempt;
#[cfg(feature = "grpc")]
mod grpc;
mod handled;
mod handler;
#[cfg(feature = "http")]
mod http;
mod process;
#[cfg(any(feature = "grpc", feature = "http"))]
mod wire;

pub use call::Call;
#[cfg(feature = "grpc")]
pub use grpc::{GrpcSettings, GrpcTarget};
pub use handled::{Handled, IntoHandled};
pub use handler::Handler;
#[cfg(feature = "http")]
pub use http::{BatchResult, ExpectedStatus, HttpSettings, HttpTarget};
pub use process::{WorkerCommand, WorkerError, WorkerPool};
#[cfg(any(feature = "grpc", feature = "http"))]
pub use wire::{ClientCertificate, Secret, TargetTls};
