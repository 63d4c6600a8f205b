//! Making connections.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;

pub(super) type Connector = HttpsConnector<HttpConnector>;
pub(super) type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;

/// A target that answers after an hour is well, as long as its machine is.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);
const KEEP_ALIVE_TRIES: u32 = 3;
/// So long it may take until its machine has what was sent: while it does not, nobody asks whether it lives.
#[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
const UNHEARD_MAX: Duration = Duration::from_secs(30);

/// Connects by TLS if it is to, by the certificates that the machine trusts.
pub(super) fn connector(is_https: bool, connect_timeout: Duration) -> io::Result<Connector> {
    let mut plain = HttpConnector::new();
    plain.enforce_http(false);
    plain.set_nodelay(true);
    plain.set_keepalive(Some(KEEP_ALIVE));
    plain.set_keepalive_interval(Some(KEEP_ALIVE));
    plain.set_keepalive_retries(Some(KEEP_ALIVE_TRIES));
    #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
    plain.set_tcp_user_timeout(Some(UNHEARD_MAX));
    plain.set_connect_timeout(Some(connect_timeout));
    let builder = HttpsConnectorBuilder::new();
    let builder = if is_https {
        builder.with_provider_and_native_roots(default_provider())?.https_only()
    } else {
        // A machine without certificates can still call it.
        builder.with_tls_config(trusting_nobody()?).https_or_http()
    };
    Ok(builder.enable_all_versions().wrap_connector(plain))
}

fn trusting_nobody() -> io::Result<ClientConfig> {
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(io::Error::other)?;
    Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}
