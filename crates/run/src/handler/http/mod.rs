//! A handler that calls a URL: the work is the request, the answer says what became of it.
//!
//! What goes over the wire is in `docs/http-target.md`.

mod address;
mod answer;
mod body;
mod credentials;
mod media_type;
mod partial;
mod request;
mod settings;
mod target;
mod transport;

pub use settings::HttpSettings;
pub use target::HttpTarget;
