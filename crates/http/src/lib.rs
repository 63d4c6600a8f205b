//! The HTTP client of Redrive: HTTP/1.1 and HTTP/2, with TLS and pooled connections.
//!
//! Targets, the client of a Redrive server and the search index all send their requests through an [`HttpPool`]. A
//! request is sent once: the pool sends it again only if its connection was closed before any of it was written. There
//! are no redirects, no proxies and no retries. It is not a server: `redrive-server` and the health checks of
//! `redrive-run` use `hyper` themselves.
//!
//! ```
//! use std::time::Duration;
//! use redrive_http::{Connector, HttpPool, HttpVersions, TlsRoots};
//!
//! let roots = TlsRoots::none();
//! let connector = Connector::new(&roots, HttpVersions::All, Duration::from_secs(10)).unwrap();
//! let requests = HttpPool::new(connector, 8);
//! # let _unused = requests;
//! ```
//!
//! # Modules
//!
//! `connector` opens connections (TCP, TLS, HTTP/1.1 or HTTP/2), `pool` reuses them, `tls_roots` and `tls_identity`
//! read certificates, and `error` tells whether a request was sent. Start reading at `pool.rs`.
//!
//! # Invariants
//!
//! - A request whose bytes may have reached the server is never sent again: only the caller knows whether that is safe
//!   ([`is_unsent`]).

mod connector;
mod error;
mod pool;
mod tls_identity;
mod tls_roots;

pub use connector::{Connector, HttpStream, HttpVersions};
pub use error::is_unsent;
pub use pool::{HttpBody, HttpPool, pool};
pub use tls_identity::{TlsIdentity, TlsIdentityError};
pub use tls_roots::{TlsRoots, TlsRootsError, certificates_from_pem};

/// Why a request got no answer.
pub use hyper_util::client::legacy::Error as HttpError;
