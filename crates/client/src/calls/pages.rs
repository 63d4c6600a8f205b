//! Pages that need no key: health and metrics.

use bytes::Bytes;
use http::{Response, StatusCode};

use crate::{Client, ClientError, ServerHealth};

impl Client {
    /// Returns the health of the server. An unhealthy server is reported in [`ServerHealth`]; an error means that there
    /// was no health report.
    pub async fn health(&self) -> Result<ServerHealth, ClientError> {
        self.health_at("/health").await
    }

    /// Returns whether the server accepts work: a server that is shutting down is healthy, but not ready.
    pub async fn ready(&self) -> Result<ServerHealth, ClientError> {
        self.health_at("/health/ready").await
    }

    /// Returns the metrics of the server as Prometheus text.
    pub async fn metrics(&self) -> Result<String, ClientError> {
        let page = self.page("/metrics").await?;
        let body = self.with_status(page, &[StatusCode::OK])?;
        String::from_utf8(body.into()).map_err(|_| self.reader().not_understood("it is not UTF-8"))
    }

    async fn health_at(&self, path: &'static str) -> Result<ServerHealth, ClientError> {
        let page = self.page(path).await?;
        let body = self.with_status(page, &[StatusCode::OK, StatusCode::SERVICE_UNAVAILABLE])?;
        serde_json::from_slice(&body).map_err(|_| self.reader().not_understood("it is not a health report"))
    }

    fn with_status(&self, page: Response<Bytes>, good: &[StatusCode]) -> Result<Bytes, ClientError> {
        if good.contains(&page.status()) {
            return Ok(page.into_body());
        }
        let status = page.status().as_u16();
        Err(ClientError::Infrastructure { address: self.inner.address.shown.clone(), status })
    }
}
