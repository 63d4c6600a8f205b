//! The effective settings for letters.

use redrive_core::{Backoff, CustomBackoff, RetryPolicy, Strategy};

use super::LetterSettings;
use crate::Rejection;

impl LetterSettings {
    /// The effective strategy: `disabled` if captures are disabled for the whole store.
    pub fn strategy(&self) -> Strategy {
        if self.is_enabled { self.strategy } else { Strategy::Disabled }
    }

    /// Checks that letters can have this policy.
    ///
    /// # Errors
    ///
    /// If it is `custom` and there are no custom delays.
    pub fn check_policy(&self, policy: RetryPolicy) -> Result<(), Rejection> {
        match policy {
            RetryPolicy::Custom if self.custom_backoff.is_none() => Err(Rejection::NoCustomBackoff),
            _ => Ok(()),
        }
    }

    pub fn custom_backoff(&self) -> Option<&Backoff> {
        self.custom_backoff.as_ref().map(CustomBackoff::backoff)
    }
}
