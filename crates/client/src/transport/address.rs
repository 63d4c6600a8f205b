//! A server's address.

use std::sync::Arc;

use http::Uri;
use http::uri::{Authority, PathAndQuery, Scheme};

use crate::BuildError;

/// The default port.
const PORT: u16 = 2319;

#[derive(Debug, Clone)]
pub(crate) struct Address {
    pub(crate) shown: Arc<str>,
    pub(crate) scheme: Scheme,
    authority: Authority,
}

impl Address {
    /// A host and port, or a URL without a path.
    pub(crate) fn parse(text: &str) -> Result<Self, BuildError> {
        let invalid = |why| BuildError::Address { address: without_user(text).to_owned(), why };
        let uri: Uri = text.trim().parse().map_err(|_| invalid("it is not an address"))?;
        let parts = uri.into_parts();
        let authority = parts.authority.ok_or_else(|| invalid("it has no host"))?;
        if authority.as_str().contains('@') {
            return Err(invalid("a user or password in it is not used; configure the key separately"));
        }
        if parts.path_and_query.is_some_and(|path| path != "/") {
            return Err(invalid("it has a path, and the API has its own"));
        }
        let is_bare = parts.scheme.is_none();
        let scheme = parts.scheme.unwrap_or(Scheme::HTTP);
        if scheme != Scheme::HTTP && scheme != Scheme::HTTPS {
            return Err(invalid("it is neither http nor https"));
        }
        let authority = match authority.port() {
            None if is_bare => format!("{authority}:{PORT}").parse().map_err(|_| invalid("its host is invalid"))?,
            _ => authority,
        };
        Ok(Self { shown: format!("{scheme}://{authority}").into(), scheme, authority })
    }

    pub(crate) fn is_https(&self) -> bool {
        self.scheme == Scheme::HTTPS
    }

    /// The URI of a path on this server.
    pub(crate) fn uri(&self, path: &'static str) -> Uri {
        let mut parts = http::uri::Parts::default();
        parts.scheme = Some(self.scheme.clone());
        parts.authority = Some(self.authority.clone());
        parts.path_and_query = Some(PathAndQuery::from_static(path));
        // Scheme, authority and path are set, which is all that is required.
        Uri::from_parts(parts).unwrap_or_default()
    }
}

/// The address without user and password.
fn without_user(text: &str) -> &str {
    text.rsplit_once('@').map_or(text, |(_, host)| host)
}
