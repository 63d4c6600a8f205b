//! Delays after failures.

use redrive_core::Span;
use redrive_store::StoreError;

use crate::client::SearchTrouble;
use crate::{SearchError, SearchSettings};

/// A delay that doubles after each failure, up to a limit. There is only one client, so it needs no jitter.
#[derive(Debug)]
pub(crate) struct RetryDelay {
    min: Span,
    max: Span,
    next: Span,
}

impl RetryDelay {
    pub(crate) fn new(settings: &SearchSettings) -> Self {
        Self { min: settings.backoff_min, max: settings.backoff_max, next: settings.backoff_min }
    }

    pub(crate) fn reset(&mut self) {
        self.next = self.min;
    }

    /// Returns the delay after this failure. A longer `Retry-After` of OpenSearch is respected up to the limit.
    pub(crate) fn after(&mut self, error: &SearchError) -> Span {
        let requested = match error {
            SearchError::Trouble(SearchTrouble::Busy { retry_after: Some(requested), .. }) => *requested,
            _ => Span::ZERO,
        };
        let wait = self.next.max(requested).min(self.max);
        self.next = self.next.saturating_mul(2).min(self.max);
        wait
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
        let waits: Vec<u64> = (0..5).map(|_| delay.after(&unreachable).as_micros() / 1_000_000).collect();
        assert_eq!(waits, [1, 2, 4, 5, 5]);
        delay.reset();
        let busy =
            |secs| SearchError::Trouble(SearchTrouble::Busy { status: 429, retry_after: Some(Span::from_secs(secs)) });
        assert_eq!(delay.after(&busy(3)), Span::from_secs(3), "as requested");
        assert_eq!(delay.after(&busy(3_600)), Span::from_secs(5), "limited by backoff_max");
    }
}
