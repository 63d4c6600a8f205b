//! The HTTP target: work that is done by a request to a URL.

mod answers;
mod broken;
mod connections;
mod letters;
mod partial;
mod requests;
mod server;
mod settings;
mod tls;
mod waiting;

use redrive_run::{HttpSettings, HttpTarget};

fn target(url: &str) -> HttpTarget {
    HttpTarget::new(&HttpSettings::new(url)).unwrap()
}
