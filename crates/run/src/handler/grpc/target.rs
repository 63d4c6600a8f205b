//! The gRPC target.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::Uri;
use http::header::HeaderMap;
use http::uri::PathAndQuery;
use redrive_core::{Evidence, Failure, GrpcCode, Invalid, Problem, Span};
use redrive_store::{Clock, SystemClock};
use tonic::client::Grpc;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Extensions, Request, Status};

use super::codec::Raw;
use super::{GrpcSettings, metadata, status};
use crate::handler::wire::shown;
use crate::{Call, ClientCertificate, Handled, Handler, TargetTls};

/// A handler that calls a unary gRPC method.
///
/// The payload is sent unchanged as the message; the message of the answer is the result. An error status is a failure,
/// with the delay that the server asks for in a `RetryInfo`, as `retry-after` or as `grpc-retry-pushback-ms`.
///
/// All calls share one connection, which the first call opens on its runtime and which is opened again after it broke. An
/// attempt that is dropped cancels its call.
///
/// ```
/// use redrive_run::{GrpcSettings, GrpcTarget, Handler};
///
/// let mut settings = GrpcSettings::new("http://orders.internal:50051", "/orders.v1.Orders/Place");
/// settings.metadata.push(("authorization".into(), "Bearer 5ecret".into()));
/// let target = GrpcTarget::new(&settings).unwrap();
/// assert!(!format!("{target:?}").contains("5ecret"));
/// assert_eq!(Handler::target(&target), "grpc http://orders.internal:50051/orders.v1.Orders/Place");
/// ```
pub struct GrpcTarget {
    endpoint: Endpoint,
    channel: OnceLock<Channel>,
    path: PathAndQuery,
    metadata: HeaderMap,
    deadline: Option<Span>,
    message_bytes_max: usize,
    /// The method's address without secrets.
    named: String,
    clock: Arc<dyn Clock>,
}

/// How often an idle connection is probed. Servers commonly close connections that send pings more often than every five
/// minutes.
const PING_EVERY: Duration = Duration::from_secs(5 * 60);
const PING_TIMEOUT: Duration = Duration::from_secs(20);
const KEEPALIVE: Duration = Duration::from_secs(15);

impl GrpcTarget {
    pub fn new(settings: &GrpcSettings) -> Result<Self, Invalid> {
        settings.check()?;
        let uri = settings.checked_endpoint()?;
        let path = settings.checked_method()?;
        let metadata = settings.checked_metadata()?;
        // One address, so that the classifier does not read the names in it as words of an error.
        let named = format!("{}{}", shown(&settings.endpoint).trim_end_matches('/'), settings.method);
        Ok(Self {
            endpoint: endpoint(settings, uri)?,
            channel: OnceLock::new(),
            path,
            metadata,
            deadline: settings.deadline,
            message_bytes_max: settings.message_bytes_max,
            named,
            clock: Arc::new(SystemClock),
        })
    }

    /// Sets the clock against which dates in answers are read.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    async fn call(&self, call: &Call) -> Result<Bytes, Status> {
        let channel = self.channel.get_or_init(|| self.endpoint.connect_lazy());
        let mut client = Grpc::new(channel.clone())
            .max_encoding_message_size(self.message_bytes_max)
            .max_decoding_message_size(self.message_bytes_max);
        client.ready().await.map_err(|error| Status::from_error(error.into()))?;
        let metadata = metadata::metadata(call, &self.metadata);
        let mut request = Request::from_parts(metadata, Extensions::new(), call.content.payload.clone());
        if let Some(deadline) = self.deadline {
            request.set_timeout(deadline.into());
        }
        client.unary(request, self.path.clone(), Raw).await.map(tonic::Response::into_inner)
    }

    /// A payload above the limit fails the same way with every attempt.
    fn too_long(&self, bytes: usize) -> Failure {
        let most = self.message_bytes_max;
        let message = format!("{} was not called: the payload has {bytes} bytes, and {most} may be sent", self.named);
        Failure::new(message).with_evidence(Evidence::Grpc(GrpcCode::OutOfRange))
    }
}

fn endpoint(settings: &GrpcSettings, uri: Uri) -> Result<Endpoint, Invalid> {
    let is_tls = uri.scheme_str() == Some("https");
    let endpoint = Endpoint::from(uri)
        .connect_timeout(settings.connect_timeout.into())
        .tcp_keepalive(Some(KEEPALIVE))
        .http2_keep_alive_interval(PING_EVERY)
        .keep_alive_timeout(PING_TIMEOUT);
    let refused = |error: tonic::transport::Error, allowed: &str| {
        let cause = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        let allowed = format!("{allowed} ({cause})");
        Invalid::new("endpoint", Problem::Contradiction, shown(&settings.endpoint), allowed)
    };
    let endpoint = endpoint
        .user_agent(concat!("redrive/", env!("CARGO_PKG_VERSION")))
        .map_err(|error| refused(error, "http or https"))?;
    if !is_tls {
        return Ok(endpoint);
    }
    let TargetTls { ca_certificates, client_certificate } = &settings.tls;
    // The timeout of the endpoint covers the connection alone.
    let mut tls = ClientTlsConfig::new().timeout(settings.connect_timeout.into());
    if let Some(trusted) = ca_certificates {
        tls = tls.ca_certificate(Certificate::from_pem(trusted));
    }
    if let Some(ClientCertificate { certificate, key }) = client_certificate {
        tls = tls.identity(Identity::from_pem(certificate, key));
    }
    match endpoint.clone().tls_config(tls.clone().with_native_roots()) {
        // The machine may have no certificates.
        Err(_) if ca_certificates.is_some() => endpoint.tls_config(tls),
        configured => configured,
    }
    .map_err(|error| refused(error, "https with valid certificates, where there are some to trust"))
}

#[async_trait]
impl Handler for GrpcTarget {
    async fn handle(&self, call: Call) -> Handled {
        let bytes = call.content.payload.len();
        if bytes > self.message_bytes_max {
            return self.too_long(bytes).into();
        }
        let answer = match self.deadline {
            None => self.call(&call).await,
            // The library's own timeout covers only the head of the answer.
            Some(deadline) => match tokio::time::timeout(deadline.into(), self.call(&call)).await {
                Ok(answer) => answer,
                Err(_elapsed) => return status::late(&self.named).into(),
            },
        };
        match answer {
            Ok(result) => Handled::Done { result: Some(result) },
            Err(status) => {
                if status::is_unreached(&status) {
                    call.not_sent();
                }
                status::failure(&self.named, &status, self.clock.now()).into()
            }
        }
    }

    fn target(&self) -> String {
        format!("grpc {}", self.named)
    }
}

impl fmt::Debug for GrpcTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.metadata.keys().collect();
        f.debug_struct("GrpcTarget")
            .field("named", &self.named)
            .field("metadata", &names)
            .field("deadline", &self.deadline)
            .field("message_bytes_max", &self.message_bytes_max)
            .finish_non_exhaustive()
    }
}
