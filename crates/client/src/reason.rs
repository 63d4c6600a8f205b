//! The reason of a call, sent as a header.

use std::sync::Arc;

use http::{HeaderName, HeaderValue};

use crate::{BuildError, Client};

pub(crate) const REASON: HeaderName = HeaderName::from_static("x-redrive-reason");

impl Client {
    /// Maximum length of a reason.
    pub const REASON_BYTES_MAX: usize = 512;

    /// Returns a client that sends a reason with every call. The server stores it in the audit record of an act, and
    /// requires it to reveal a payload. The reason is one line of ASCII, up to
    /// [`REASON_BYTES_MAX`](Self::REASON_BYTES_MAX) bytes.
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
}

/// A server ignores a reason that is not plain ASCII, as if none had been sent. Such a reason is rejected here.
fn header_of(reason: &str) -> Result<HeaderValue, BuildError> {
    let most = Client::REASON_BYTES_MAX;
    let reason = reason.trim();
    let is_plain = reason.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    let is_valid = is_plain && (1..=most).contains(&reason.len());
    let value = is_valid.then(|| HeaderValue::from_str(reason).ok()).flatten();
    value.ok_or(BuildError::Reason { most })
}
