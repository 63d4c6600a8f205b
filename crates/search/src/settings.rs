//! How OpenSearch is reached, and how much is sent to it at once.

use std::fmt;

use redrive_core::{Invalid, Problem, Span};
use reqwest::Url;
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// How OpenSearch is reached, and how much is sent to it at once.
#[derive(Debug, Clone)]
pub struct SearchSettings {
    /// Where it listens: `https://host:9200`. A path before OpenSearch's own is kept; a user and a password are refused
    /// here, since addresses are shown.
    pub url: String,
    pub credentials: Credentials,
    /// A certificate to trust besides those of the machine, in PEM.
    pub ca_certificate: Option<Vec<u8>>,
    /// The alias under which letters are searched. The indices behind it have its name and a number.
    pub index: String,
    pub connect_timeout: Span,
    /// The longest that a request may take, its answer included.
    pub request_timeout: Span,
    /// So many documents are sent at once,
    pub batch_documents: usize,
    /// and no more bytes, apart from a single document that is larger.
    pub batch_bytes: usize,
    /// How long nothing is sent after the first failure; twice as long after each further one,
    pub backoff_min: Span,
    /// and no longer than this.
    pub backoff_max: Span,
    /// Of an index that is made.
    pub shards: u32,
    pub replicas: u32,
}

/// Who we are.
#[derive(Debug, Clone, Default)]
pub enum Credentials {
    #[default]
    None,
    Basic {
        user: String,
        password: SearchSecret,
    },
    ApiKey(SearchSecret),
}

/// A text that is never shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SearchSecret(String);

impl SearchSecret {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for SearchSecret {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

/// Whatever stands in a configuration: a password of digits alone is one, too. An error must not show it.
impl<'de> Deserialize<'de> for SearchSecret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = SearchSecret;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_str<E>(self, text: &str) -> Result<SearchSecret, E> {
                Ok(SearchSecret::from(text))
            }

            fn visit_i64<E>(self, number: i64) -> Result<SearchSecret, E> {
                Ok(SearchSecret::from(number.to_string()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<SearchSecret, E> {
                Ok(SearchSecret::from(number.to_string()))
            }

            fn visit_f64<E: Error>(self, _number: f64) -> Result<SearchSecret, E> {
                Err(E::custom("a secret must be written as a text, in quotation marks"))
            }

            fn visit_bool<E>(self, word: bool) -> Result<SearchSecret, E> {
                Ok(SearchSecret::from(word.to_string()))
            }
        }
        deserializer.deserialize_string(Any)
    }
}

impl fmt::Debug for SearchSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl SearchSettings {
    pub const INDEX: &'static str = "redrive_dlq";
    /// A document's id may be longer, the name of an index not by much.
    pub const INDEX_BYTES_MAX: usize = 200;
    pub const BATCH_DOCUMENTS_MAX: usize = 10_000;
    pub const BATCH_BYTES_MAX: usize = 64 << 20;
    pub const TIMEOUT_MAX: Span = Span::from_mins(10);

    /// No credentials, the alias `redrive_dlq`, 500 documents or 5 MiB at once, requests of half a minute.
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

    /// Whether all of it can be used, apart from what only the network knows.
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
        // What does not parse may have a secret anywhere.
        let refused = |shown: &str| Invalid::new("url", Problem::Malformed, shown, allowed);
        let url = Url::parse(&self.url).map_err(|_| refused("…"))?;
        let is_plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
        match url.scheme() {
            "http" | "https" if url.has_host() && is_plain => Ok(url),
            scheme => Err(refused(&format!("{scheme}://…"))),
        }
    }

    /// The rules of OpenSearch for the name of an index.
    fn check_index(&self) -> Result<(), Invalid> {
        let is_fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '.');
        let begins_well = self.index.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        if begins_well && self.index.len() <= Self::INDEX_BYTES_MAX && self.index.chars().all(is_fine) {
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
