//! What everybody may look at, without a key.

use bytes::Bytes;
use http::{Response, StatusCode};

use crate::{Client, ClientError, ServerHealth};

impl Client {
    /// How the server is. One that is not well says so in its [`ServerHealth`]; an error tells that it said nothing.
    pub async fn health(&self) -> Result<ServerHealth, ClientError> {
        self.health_at("/health").await
    }

    /// Whether it takes work: a server that shuts down is well, and not ready.
    pub async fn ready(&self) -> Result<ServerHealth, ClientError> {
        self.health_at("/health/ready").await
    }

    /// Its metrics, as text for Prometheus.
    pub async fn metrics(&self) -> Result<String, ClientError> {
        let page = self.page("/metrics").await?;
        let body = self.with_status(page, &[StatusCode::OK])?;
        String::from_utf8(body.into()).map_err(|_| self.reader().not_understood("it is no text"))
    }

    async fn health_at(&self, path: &'static str) -> Result<ServerHealth, ClientError> {
        let page = self.page(path).await?;
        let body = self.with_status(page, &[StatusCode::OK, StatusCode::SERVICE_UNAVAILABLE])?;
        serde_json::from_slice(&body).map_err(|_| self.reader().not_understood("it does not tell of its health"))
    }

    fn with_status(&self, page: Response<Bytes>, good: &[StatusCode]) -> Result<Bytes, ClientError> {
        if good.contains(&page.status()) {
            return Ok(page.into_body());
        }
        let status = page.status().as_u16();
        Err(ClientError::Infrastructure { address: self.inner.address.shown.clone(), status })
    }
}
