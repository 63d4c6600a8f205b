//! The handler that sends requests.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use http::header::HeaderMap;
use http::{Method, Uri};
use http_body_util::Full;
use redrive_core::{Invalid, Problem};
use redrive_http::{Connector, HttpVersions, TlsIdentity, TlsRoots, TlsRootsError, certificates_from_pem};
use redrive_store::{Clock, SystemClock};
use url::Url;

use super::address::{shown_url, without_secrets};
use super::answer::{self, Setup};
use super::broken::BrokenConnection;
use super::transport::{HttpRequest, Transport};
use super::{HttpSettings, credentials, request};
use crate::{Call, Handled, Handler, TargetTls};

/// A handler that sends the work to a URL.
///
/// The payload is the body of the request; everything else is in headers. The status of the response is the result: 2xx
/// is done, 207 names the failed parts, `Retry-After` is respected, and everything else is evidence for the policy.
/// Redirects are not followed, proxy settings of the environment are ignored, and no request is sent twice.
///
/// Connections are reused. Dropping an attempt cancels its request.
///
/// ```
/// use redrive_run::{Handler, HttpSettings, HttpTarget};
///
/// let mut settings = HttpSettings::new("http://ann:5ecret@orders.internal:8080/placed?token=5ecret");
/// settings.headers.push(("x-api-key".into(), "5ecret".into()));
/// let target = HttpTarget::new(&settings).unwrap();
/// assert!(!format!("{target:?}").contains("5ecret"));
/// assert_eq!(Handler::target(&target), "http http://orders.internal:8080/placed");
/// ```
pub struct HttpTarget {
    pub(super) transport: Transport,
    pub(super) setup: Setup,
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) clock: Arc<dyn Clock>,
}

impl HttpTarget {
    pub fn new(settings: &HttpSettings) -> Result<Self, Invalid> {
        settings.check()?;
        let mut url = settings.checked_url()?;
        let method = settings.checked_method()?;
        let mut headers = settings.checked_headers()?;
        credentials::take(&mut url, &mut headers)?;
        let transport = transport(settings, &url)?;
        let url = without_secrets(url);
        let setup = Setup {
            named: format!("{method} {url}"),
            url,
            body_bytes_max: settings.body_bytes_max,
            body_is_result: settings.body_is_result,
            expected: settings.expected.clone(),
        };
        Ok(Self { transport, setup, method, headers, clock: Arc::new(SystemClock) })
    }

    /// Uses another clock for the dates in responses.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }
}

fn transport(settings: &HttpSettings, url: &Url) -> Result<Transport, Invalid> {
    let refused = |problem, allowed: String| Invalid::new("url", problem, shown_url(url), allowed);
    // A URL can be valid and still not be a valid URI of a request.
    let uri = url.as_str().parse::<Uri>().ok().filter(|uri| uri.authority().is_some());
    let uri = uri.ok_or_else(|| refused(Problem::Malformed, "a url that a request can carry".to_owned()))?;
    let not_trusted = |cause| match cause {
        TlsRootsError::Certificate => {
            Invalid::new("tls.ca_certificates", Problem::Malformed, "…", "one or more certificates in PEM")
        }
        cause => {
            refused(Problem::Contradiction, format!("https where the machine has certificates to trust ({cause})"))
        }
    };
    let TargetTls { ca_certificates, client_certificate } = &settings.tls;
    let trusted = ca_certificates.as_deref().map(certificates_from_pem).transpose().map_err(not_trusted)?;
    let roots = match uri.scheme_str() {
        Some("https") => TlsRoots::native_and(&trusted.unwrap_or_default()).map_err(not_trusted)?,
        _ => TlsRoots::none(),
    };
    let client = client_certificate.as_ref();
    let client = client.map(|client| TlsIdentity::from_pem(&client.certificate, &client.key)).transpose();
    let client = client.map_err(|cause| {
        let allowed = format!("a certificate and its private key in PEM ({cause})");
        Invalid::new("tls.client_certificate", Problem::Malformed, "…", allowed)
    })?;
    let (versions, timeout) = (HttpVersions::All, settings.connect_timeout.into());
    let connector = Connector::with_identity(&roots, client.as_ref(), versions, timeout).map_err(not_trusted)?;
    Ok(Transport::new(uri, connector))
}

#[async_trait]
impl Handler for HttpTarget {
    async fn handle(&self, call: Call) -> Handled {
        let mut request = HttpRequest::new(Full::new(call.content.payload.clone()));
        *request.method_mut() = self.method.clone();
        *request.headers_mut() = request::headers(&call, &self.headers);
        match self.transport.send(request).await {
            Ok(answer) => {
                call.beat();
                answer::judge(&self.setup, answer, &call, self.clock.now()).await
            }
            Err(error) => {
                if matches!(error, BrokenConnection::NotReached(_)) {
                    call.not_sent();
                }
                answer::broken(&self.setup, &error).into()
            }
        }
    }

    fn target(&self) -> String {
        format!("http {}", self.setup.url)
    }
}

impl fmt::Debug for HttpTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.keys().collect();
        f.debug_struct("HttpTarget").field("calls", &self.setup.named).field("headers", &names).finish_non_exhaustive()
    }
}
