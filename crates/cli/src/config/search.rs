//! The settings of the OpenSearch index.

use anyhow::{Context, Result, bail};
use redrive_core::Span;
use redrive_search::{Credentials, SearchSettings};
use redrive_server::CaptureMode;

use super::Dlq;

impl Dlq {
    /// The settings of the index; `None` if no URL is set. Fails if two settings exclude each other.
    pub(crate) fn search(&self) -> Result<Option<SearchSettings>> {
        let Some(url) = &self.opensearch_url else {
            let needing = [
                ("fail_on_opensearch_unavailable", self.fail_on_opensearch_unavailable),
                ("opensearch_user", self.opensearch_user.is_some()),
                ("opensearch_password", self.opensearch_password.is_some()),
                ("opensearch_api_key", self.opensearch_api_key.is_some()),
                ("opensearch_ca_file", self.opensearch_ca_file.is_some()),
            ];
            match needing.into_iter().find(|(_, is_set)| *is_set) {
                Some((key, _)) => bail!("dlq.{key} is set, but dlq.opensearch_url is not; set the URL of OpenSearch"),
                None => return Ok(None),
            }
        };
        let settings = SearchSettings {
            credentials: self.credentials()?,
            ca_certificate: self.certificate()?,
            index: self.opensearch_index.clone(),
            request_timeout: Span::from_secs(self.opensearch_timeout_seconds),
            shards: self.opensearch_shards,
            replicas: self.opensearch_replicas,
            ..SearchSettings::new(url)
        };
        settings.check().context("invalid dlq.opensearch_* settings")?;
        Ok(Some(settings))
    }

    /// Whether captures wait for the index.
    pub(crate) const fn capture_mode(&self) -> CaptureMode {
        if self.fail_on_opensearch_unavailable {
            CaptureMode::Strict { within: Span::from_secs(self.opensearch_timeout_seconds) }
        } else {
            CaptureMode::Store
        }
    }

    fn credentials(&self) -> Result<Credentials> {
        match (&self.opensearch_user, &self.opensearch_password, &self.opensearch_api_key) {
            (None, None, None) => Ok(Credentials::None),
            (Some(user), Some(password), None) => {
                Ok(Credentials::Basic { user: user.clone(), password: password.clone() })
            }
            (None, None, Some(key)) => Ok(Credentials::ApiKey(key.clone())),
            (_, _, Some(_)) => bail!("dlq.opensearch_api_key and a user or password are both set; remove one of them"),
            (Some(_), None, None) => bail!("dlq.opensearch_user is set without dlq.opensearch_password"),
            (None, Some(_), None) => bail!("dlq.opensearch_password is set without dlq.opensearch_user"),
        }
    }

    fn certificate(&self) -> Result<Option<Vec<u8>>> {
        let Some(file) = &self.opensearch_ca_file else { return Ok(None) };
        let read = std::fs::read(file);
        read.map(Some).with_context(|| format!("dlq.opensearch_ca_file: cannot read {}", file.display()))
    }
}
