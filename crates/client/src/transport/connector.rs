//! Making connections.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::Uri;
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;

use super::hang_up::Wire;

type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Connects, by TLS where the address says so.
#[derive(Debug, Clone)]
pub(super) enum Connector {
    Plain(HttpConnector),
    Tls(HttpsConnector<HttpConnector>),
}

impl Service<Uri> for Connector {
    type Response = Wire<Stream>;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Wire<Stream>, Failure>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        match self {
            Self::Plain(connector) => connector.poll_ready(context).map_err(Into::into),
            Self::Tls(connector) => connector.poll_ready(context),
        }
    }

    fn call(&mut self, address: Uri) -> Self::Future {
        match self {
            Self::Plain(connector) => {
                let connecting = connector.call(address);
                Box::pin(async move { Ok(Wire::new(MaybeHttpsStream::Http(connecting.await?))) })
            }
            Self::Tls(connector) => {
                let connecting = connector.call(address);
                Box::pin(async move { Ok(Wire::new(connecting.await?)) })
            }
        }
    }
}
