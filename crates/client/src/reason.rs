//! Why a call is made, as the server hears it.

use std::sync::Arc;

use http::{HeaderName, HeaderValue};

use crate::{BuildError, Client};

pub(crate) const REASON: HeaderName = HeaderName::from_static("x-redrive-reason");

impl Client {
    /// The most that a server keeps of a reason.
    pub const REASON_BYTES_MAX: usize = 512;

    /// A client whose calls say why they are made: the server keeps it with the record of an act, and shows a payload to
    /// nobody who does not say it. Plain text, up to [`REASON_BYTES_MAX`](Self::REASON_BYTES_MAX) bytes.
    ///
    /// # Look at the payload of a letter
    ///
    /// ```no_run
    /// # async fn look(client: redrive_client::Client) -> Result<(), Box<dyn std::error::Error>> {
    /// let shown = client.because("support case 9")?.letters("orders-dead").reveal("2PqKcMkQhVbFQ0dQ4mC3nCyaQWz").await?;
    /// println!("{} bytes", shown.content.unwrap_or_default().payload.len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn because(&self, reason: &str) -> Result<Self, BuildError> {
        Ok(Self { inner: Arc::clone(&self.inner), reason: Some(header_of(reason)?) })
    }
}

/// A server reads only what is plain, and passes over the rest as if nothing had been said: what it would not hear is
/// refused here.
fn header_of(reason: &str) -> Result<HeaderValue, BuildError> {
    let most = Client::REASON_BYTES_MAX;
    let reason = reason.trim();
    let is_plain = reason.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    let is_heard = is_plain && (1..=most).contains(&reason.len());
    let value = is_heard.then(|| HeaderValue::from_str(reason).ok()).flatten();
    value.ok_or(BuildError::Reason { most })
}
