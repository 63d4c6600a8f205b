//! The handler.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{Invalid, Problem};
use redrive_store::{Clock, SystemClock};
use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Url, retry};

use super::address::shown_url;
use super::{HttpSettings, answer, credentials, request};
use crate::{Call, Handled, Handler};

/// Does work by a request to a URL.
///
/// The payload is the body, what else there is to know stands in headers. The status of the answer says what became of
/// it: 2xx is done, 207 names the parts that failed, `Retry-After` is respected, and everything else is evidence for
/// the policy. Redirects are not followed, proxies of the environment are not asked, and nothing is sent twice.
///
/// Connections are kept and used again. An attempt that is dropped ends its request.
///
/// ```
/// use redrive_run::{HttpSettings, HttpTarget};
///
/// let mut settings = HttpSettings::new("http://orders.internal:8080/placed");
/// settings.headers.push(("authorization".into(), "Bearer 5ecret".into()));
/// let target = HttpTarget::new(&settings).unwrap();
/// assert!(!format!("{target:?}").contains("5ecret"));
/// ```
pub struct HttpTarget {
    client: Client,
    setup: Setup,
    url: Url,
    method: Method,
    headers: HeaderMap,
    clock: Arc<dyn Clock>,
}

/// What the answer is judged by.
#[derive(Debug)]
pub(super) struct Setup {
    /// What is called, as it may be shown: the method and the url without its secrets.
    pub(super) named: String,
    pub(super) body_bytes_max: usize,
    pub(super) body_is_result: bool,
}

impl HttpTarget {
    pub fn new(settings: &HttpSettings) -> Result<Self, Invalid> {
        settings.check()?;
        let mut url = settings.checked_url()?;
        let method = settings.checked_method()?;
        let mut headers = settings.checked_headers()?;
        credentials::take(&mut url, &mut headers)?;
        let setup = Setup {
            named: format!("{method} {}", shown_url(&url)),
            body_bytes_max: settings.body_bytes_max,
            body_is_result: settings.body_is_result,
        };
        let client = client(settings, &url)?;
        Ok(Self { client, setup, url, method, headers, clock: Arc::new(SystemClock) })
    }

    /// Reads dates in answers by another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }
}

fn client(settings: &HttpSettings, url: &Url) -> Result<Client, Invalid> {
    let mut builder = Client::builder()
        .user_agent(concat!("redrive/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(settings.connect_timeout.into())
        .redirect(Policy::none())
        // What is tried again, the policy decides.
        .retry(retry::never())
        // Where payloads go is said in one place.
        .no_proxy();
    if url.scheme() == "http" {
        // A machine without certificates can still call it.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| {
        let cause = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        let allowed = format!("https where the machine has certificates to trust ({cause})");
        Invalid::new("url", Problem::Contradiction, shown_url(url), allowed)
    })
}

#[async_trait]
impl Handler for HttpTarget {
    async fn handle(&self, call: Call) -> Handled {
        let request = self
            .client
            .request(self.method.clone(), self.url.clone())
            .headers(request::headers(&call, &self.headers))
            .body(call.content.payload.clone());
        match request.send().await {
            Ok(answer) => {
                call.beat();
                answer::judge(&self.setup, answer, &call, self.clock.now()).await
            }
            Err(error) => answer::broken(&self.setup, &error).into(),
        }
    }
}

impl fmt::Debug for HttpTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.keys().collect();
        f.debug_struct("HttpTarget").field("setup", &self.setup).field("headers", &names).finish_non_exhaustive()
    }
}
