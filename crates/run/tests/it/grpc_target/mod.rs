//! Work that is done by a call of a gRPC method.

mod answers;
mod broken;
mod calls;
mod server;
mod settings;

use redrive_run::{GrpcSettings, GrpcTarget};

/// Every word of it would mean something in an error's text.
const METHOD: &str = "/auth.timeout.v1.Network/Validate";

fn target(url: &str) -> GrpcTarget {
    GrpcTarget::new(&GrpcSettings::new(url, METHOD)).unwrap()
}
