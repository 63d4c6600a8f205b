//! Settings of the projection.

use redrive_core::{Invalid, Problem, Secret, Span};
use url::Url;

/// Settings of the projection: the connection to OpenSearch, the index, and the size of batches.
#[derive(Debug, Clone)]
pub struct SearchSettings {
    /// URL of OpenSearch, for example `https://host:9200`. A path prefix is kept; a user and a password are rejected,
    /// because URLs appear in messages.
    pub url: String,
    pub credentials: Credentials,
    /// Certificates in PEM to trust in addition to those of the operating system.
    pub ca_certificate: Option<Vec<u8>>,
    /// Alias of the index. The indices behind it have its name and a number.
    pub index: String,
    pub connect_timeout: Span,
    /// Maximum duration of a request including its response.
    pub request_timeout: Span,
    /// Maximum documents per request.
    pub batch_documents: usize,
    /// Maximum bytes per request, except for a single larger document.
    pub batch_bytes: usize,
    /// Delay after the first failure; it doubles after each further one.
    pub backoff_min: Span,
    /// Maximum delay after a failure.
    pub backoff_max: Span,
    /// Shards of a new index.
    pub shards: u32,
    /// Replicas of each shard of a new index.
    pub replicas: u32,
}

/// Credentials for OpenSearch.
#[derive(Debug, Clone, Default)]
pub enum Credentials {
    #[default]
    None,
    Basic {
        user: String,
        password: Secret,
    },
    ApiKey(Secret),
}

impl SearchSettings {
    pub const INDEX: &'static str = "redrive_dlq";
    /// OpenSearch limits index names to 255 bytes; the rest is for the number.
    pub const INDEX_BYTES_MAX: usize = 200;
    pub const BATCH_DOCUMENTS_MAX: usize = 10_000;
    pub const BATCH_BYTES_MAX: usize = 64 << 20;
    pub const TIMEOUT_MAX: Span = Span::from_mins(10);

    /// Default settings: no credentials, the alias `redrive_dlq`, 500 documents or 5 MiB per request, a request timeout
    /// of half a minute.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            credentials: Credentials::None,
            ca_certificate: None,
            index: Self::INDEX.to_owned(),
            connect_timeout: Span::from_secs(5),
            request_timeout: Span::from_secs(30),
            batch_documents: 500,
            batch_bytes: 5 << 20,
            backoff_min: Span::from_millis(250),
            backoff_max: Span::from_secs(30),
            shards: 1,
            replicas: 1,
        }
    }

    /// Validates the settings, without connecting.
    pub fn check(&self) -> Result<(), Invalid> {
        self.checked_url()?;
        self.check_index()?;
        span("connect_timeout", self.connect_timeout, Self::TIMEOUT_MAX)?;
        span("request_timeout", self.request_timeout, Self::TIMEOUT_MAX)?;
        span("backoff_max", self.backoff_max, Span::from_hours(1))?;
        span("backoff_min", self.backoff_min, self.backoff_max)?;
        number("batch_documents", self.batch_documents, 1, Self::BATCH_DOCUMENTS_MAX)?;
        number("batch_bytes", self.batch_bytes, 1024, Self::BATCH_BYTES_MAX)?;
        number("shards", self.shards as usize, 1, 1_024)?;
        number("replicas", self.replicas as usize, 0, 100)
    }

    pub(crate) fn checked_url(&self) -> Result<Url, Invalid> {
        let allowed = "an http or https url with a host and nothing secret in it, as in https://host:9200";
        // A URL that does not parse may contain a secret anywhere.
        let rejected = |shown: &str| Invalid::new("url", Problem::Malformed, shown, allowed);
        let url = Url::parse(&self.url).map_err(|_| rejected("…"))?;
        let is_plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
        match url.scheme() {
            "http" | "https" if url.has_host() && is_plain => Ok(url),
            scheme => Err(rejected(&format!("{scheme}://…"))),
        }
    }

    /// Checks the rules of OpenSearch for index names.
    fn check_index(&self) -> Result<(), Invalid> {
        let is_fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '.');
        let has_valid_start = self.index.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        if has_valid_start && self.index.len() <= Self::INDEX_BYTES_MAX && self.index.chars().all(is_fine) {
            return Ok(());
        }
        let allowed = "1 to 200 of a-z, 0-9, '_', '-', '.', beginning with a letter or a digit";
        Err(Invalid::new("index", Problem::Malformed, &self.index, allowed))
    }
}

fn span(field: &'static str, given: Span, most: Span) -> Result<(), Invalid> {
    if given.is_zero() || given > most {
        return Err(Invalid::new(field, Problem::OutOfRange, given, format!("more than 0, at most {most}")));
    }
    Ok(())
}

fn number(field: &'static str, given: usize, least: usize, most: usize) -> Result<(), Invalid> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    Err(Invalid::new(field, Problem::OutOfRange, given, format!("{least} to {most}")))
}
