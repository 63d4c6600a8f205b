//! A handler that sends the work to a URL; the response is the result.
//!
//! The protocol is described in `docs/http-target.md`.

mod address;
mod answer;
mod batch;
mod body;
mod broken;
mod credentials;
mod expected;
mod keep_alive;
mod media_type;
mod partial;
mod request;
mod settings;
mod target;
mod transport;

pub use batch::BatchResult;
pub use expected::ExpectedStatus;
pub use settings::HttpSettings;
pub use target::HttpTarget;
