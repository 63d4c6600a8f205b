//! Opens connections that can be hung up.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::Uri;
use redrive_http::HttpStream;
use tower_service::Service;

use super::hang_up::HangUpStream;

#[derive(Debug, Clone)]
pub(super) struct HangUpConnector(pub(super) redrive_http::Connector);

type Connecting<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

impl Service<Uri> for HangUpConnector {
    type Response = HangUpStream<HttpStream>;
    type Error = Box<dyn std::error::Error + Send + Sync>;
    type Future = Connecting<Self::Response, Self::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, address: Uri) -> Self::Future {
        let connecting = self.0.call(address);
        Box::pin(async move { Ok(HangUpStream::new(connecting.await?)) })
    }
}
