//! Delays after failures.

use redrive_core::{Backoff, Span};
use redrive_store::{StoreError, random_seed};

use crate::client::SearchTrouble;
use crate::{SearchError, SearchSettings};

/// A delay that doubles after each failure, up to a limit, with jitter.
#[derive(Debug)]
pub(crate) struct RetryDelay {
    backoff: Backoff,
    max: Span,
    failures: u32,
}

impl RetryDelay {
    pub(crate) fn new(settings: &SearchSettings) -> Self {
        let backoff = Backoff::reconnect(settings.backoff_min, settings.backoff_max);
        Self { backoff, max: settings.backoff_max, failures: 0 }
    }

    pub(crate) const fn reset(&mut self) {
        self.failures = 0;
    }

    /// Returns the delay after this failure. A longer `Retry-After` of OpenSearch is respected up to the limit.
    pub(crate) fn after(&mut self, error: &SearchError) -> Span {
        let requested = match error {
            SearchError::Trouble(SearchTrouble::Busy { retry_after: Some(requested), .. }) => *requested,
            _ => Span::ZERO,
        };
        self.failures = self.failures.saturating_add(1);
        let delay = self.backoff.delay(self.failures, random_seed()).unwrap_or(self.max);
        delay.max(requested).min(self.max)
    }

    /// Waits after a temporary failure; returns a permanent one.
    pub(crate) async fn wait(&mut self, error: SearchError) -> Result<(), SearchError> {
        match error {
            SearchError::Trouble(
                SearchTrouble::IndexGone | SearchTrouble::Refused { .. } | SearchTrouble::Denied { .. },
            ) => Err(error),
            SearchError::Trouble(_) | SearchError::Store(StoreError::Overloaded | StoreError::Unavailable(_)) => {
                tokio::time::sleep(self.after(&error).into()).await;
                Ok(())
            }
            error => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_a_limit_and_reset_after_a_success() {
        let mut settings = SearchSettings::new("http://localhost");
        (settings.backoff_min, settings.backoff_max) = (Span::from_secs(1), Span::from_secs(5));
        let mut delay = RetryDelay::new(&settings);
        let unreachable = SearchError::Trouble(SearchTrouble::Unreachable);
        for longest in [1, 2, 4, 5, 5].map(Span::from_secs) {
            let wait = delay.after(&unreachable);
            assert!(wait <= longest && wait.saturating_mul(2) >= longest, "{wait} of {longest}");
        }
        delay.reset();
        let busy =
            |secs| SearchError::Trouble(SearchTrouble::Busy { status: 429, retry_after: Some(Span::from_secs(secs)) });
        assert_eq!(delay.after(&busy(3)), Span::from_secs(3), "as requested");
        assert_eq!(delay.after(&busy(3_600)), Span::from_secs(5), "limited by backoff_max");
    }
}
