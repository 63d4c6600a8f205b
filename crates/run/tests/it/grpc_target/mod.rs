//! The gRPC target: work that is done by a unary gRPC call.

mod answers;
mod broken;
mod calls;
mod server;
mod settings;

use redrive_run::{GrpcSettings, GrpcTarget};

/// Every word of it would influence the classification if the name were part of an error's text.
const METHOD: &str = "/auth.timeout.v1.Network/Validate";

fn target(url: &str) -> GrpcTarget {
    GrpcTarget::new(&GrpcSettings::new(url, METHOD)).unwrap()
}
