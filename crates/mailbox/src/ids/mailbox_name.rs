//! The name of a mailbox.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::InvalidId;

/// The identity of a mailbox, and what a stored `reply_to` holds.
///
/// Braces are rejected: Redis reads what is between them as the hash tag that assigns a key to a node of a cluster.
///
/// ```
/// use redrive_mailbox::MailboxName;
///
/// assert!(MailboxName::new("requests-dlq").is_ok());
/// let error = MailboxName::new("{requests}").unwrap_err();
/// assert_eq!(error.to_string(), "invalid mailbox name '{requests}': allowed are 1 to 256 bytes without braces and control characters");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MailboxName(Arc<str>);

impl MailboxName {
    pub const BYTES_MAX: usize = 256;

    /// # Errors
    ///
    /// If the name is empty, too long, or contains braces or control characters.
    pub fn new(name: &str) -> Result<Self, InvalidId> {
        let is_allowed = |c: char| !matches!(c, '{' | '}') && !c.is_control();
        if name.is_empty() || name.len() > Self::BYTES_MAX || !name.chars().all(is_allowed) {
            let allowed = "1 to 256 bytes without braces and control characters";
            return Err(InvalidId { what: "mailbox name", value: name.to_owned(), allowed });
        }
        Ok(Self(Arc::from(name)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn to_arc(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

impl fmt::Display for MailboxName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for MailboxName {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Self::new(text)
    }
}
