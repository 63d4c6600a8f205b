//! The reason of a call, sent as a header.

use std::sync::Arc;

use http::{HeaderName, HeaderValue};

use crate::{BuildError, Client};

pub(crate) const REASON: HeaderName = HeaderName::from_static("x-redrive-reason");

impl Client {
    /// Maximum length of a reason.
    pub const REASON_BYTES_MAX: usize = 512;

    /// Returns a client that sends a reason with every call. The server stores it in the audit record of an act, and
    /// requires it to reveal a payload. The reason is one line of text in any script, up to
    /// [`REASON_BYTES_MAX`](Self::REASON_BYTES_MAX) bytes of UTF-8.
    ///
    /// # Reveal the payload of a letter
    ///
    /// ```no_run
    /// # use redrive_client::{Client, LetterId};
    /// # async fn look(client: Client, id: LetterId) -> Result<(), Box<dyn std::error::Error>> {
    /// let shown = client.because("support case 9")?.letters("orders-dead").reveal(id).await?;
    /// println!("{} bytes", shown.content.unwrap_or_default().payload.len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn because(&self, reason: &str) -> Result<Self, BuildError> {
        Ok(Self { inner: Arc::clone(&self.inner), reason: Some(header_of(reason)?) })
    }

    /// Checks that [`because`](Self::because) accepts a reason.
    pub fn check_reason(reason: &str) -> Result<(), BuildError> {
        header_of(reason).map(drop)
    }
}

/// The reason as the bytes of its UTF-8. A header cannot carry control characters, such as a line feed.
fn header_of(reason: &str) -> Result<HeaderValue, BuildError> {
    let most = Client::REASON_BYTES_MAX;
    let reason = reason.trim();
    let is_valid = !reason.chars().any(char::is_control) && (1..=most).contains(&reason.len());
    let value = is_valid.then(|| HeaderValue::from_bytes(reason.as_bytes()).ok()).flatten();
    value.ok_or(BuildError::Reason { most })
}
